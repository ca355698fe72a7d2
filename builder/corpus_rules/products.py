"""No vulnerability by number or name, and no product of a real maker: attacks on things in use are not spelled out."""

import re

from builder.corpus_rules.content_rule import pattern_rule

RULES = (
    pattern_rule(
        "exploit-id",
        "a numbered or named vulnerability points at working exploits",
        r"""\bCVE-?\s?\d{4} | \bMS\d{2}-\d{3}\b | \b(?:log4shell|eternalblue|heartbleed|shellshock|bluekeep|printnightmare|
        dirty\ cow|spectre\ attack|stuxnet|wannacry|notpetya|mirai|pegasus)\b""",
    ),
    pattern_rule(
        "product",
        "a real product or company is named",
        r"""\b(?:Windows|Linux|Ubuntu|Android|iOS|iPhone|iPad|macOS|MacBook|Apple|Microsoft|Google|Gmail|Amazon|Alexa|
        Facebook|Instagram|WhatsApp|Telegram|Signal\ app|Snapchat|TikTok|Twitter|LinkedIn|YouTube|Reddit|Discord|Netflix|
        Spotify|PayPal|Venmo|Western\ Union|Bitcoin|Tinder|Uber|Airbnb|eBay|Tesla|AirTags?|Outlook|Office\ 365|WordPress|
        Cisco|Oracle|Metasploit|Mimikatz|Kali|Wireshark|Hydra|Burp|Cobalt\ Strike|Glock|Beretta|Kalashnikov|AK-?47|AR-?15|
        Colt|Remington|Smith\ &\ Wesson|Taser|Xanax|Adderall|OxyContin|Percocet|Valium|Ritalin|Walmart|Ikea|Visa\ card|
        Mastercard|ChatGPT|OpenAI|Anthropic|Claude)\b""",
        re.NOFLAG,
    ),
)
