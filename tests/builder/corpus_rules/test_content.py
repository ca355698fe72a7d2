"""Each careful-content rule has a text that breaks it and a near miss that does not."""

import pytest

from builder.corpus_file import BUNDLED, read_corpus
from builder.corpus_rules.content import CONTENT_RULES, check_content
from builder.corpus_rules.slurs import slur_hash
from builder.corpus_rules.word_lists import entries
from schemas.vocabulary import Topic
from tests.builder.corpus_rules.sample import request

CASES = [
    ("quantity", "Does the cake need two kilograms of flour?", "Do the two brothers bake one more cake?"),
    ("quantity", "Is 30% cocoa enough for dark chocolate?", "Is cocoa from the 1990s still good to eat?"),
    ("quantity", "Take half a teaspoon, stir, and taste the soup", "Take half an hour and taste the soup"),
    ("quantity", "Is 5-mg salt a lot for one potato?", "Are five players a lot for one board game?"),
    ("ratio", "Mix it 3:1 for a sour lemonade", "Meet at the lemonade stand after school"),
    ("ratio", "Two parts syrup to one part water, is that right?", "Which parts of the play are the saddest?"),
    ("chemical-formula", "Does C6H12O6 taste sweet to a cat?", "Does sugar taste sweet to a cat?"),
    ("chemical-formula", "Why is H2O wet and why is it blue?", "Why is page A4 taller than an MP3 player?"),
    ("compound", "Where do museums store sodium chloride?", "Where do museums store table salt?"),
    ("agent-or-precursor", "Who discovered the smell of ammonia?", "Who discovered the smell of rain?"),
    ("code", "What does print('hello') do to my screen?", "What does the word hello do to my mood (good)?"),
    ("code", "Run sudo make me a sandwich, what is the joke?", "Run and make me a sandwich, what is the joke?"),
    ("url", "Is https://example.invalid/news a newspaper?", "Is the net. profit in the news?"),
    ("url", "Did someone register somewhere.org before me?", "Did someone get there before me? So he says."),
    ("email", "Is a mail from me@example.invalid polite?", "Is a mail from me at noon polite?"),
    ("ip-address", "Who answers at 192.0.2.1 on Sundays?", "Who answers on Sundays in the 1980s?"),
    ("phone", "Whom do I reach at +1 555 010 9999?", "Whom did one reach by phone from 1950 to 1960?"),
    ("postal-address", "Who lives at 12 Invented Street these days?", "Who lives on that invented street?"),
    ("id-number", "Why does GB00 0000 0000 0000 0000 look odd?", "Why does a number plate look odd?"),
    ("exploit-id", "What was so bad about CVE-1999-0001?", "What was so bad about the first computer virus?"),
    ("product", "Why does my cat sleep on the iPhone?", "Why does my cat sleep behind the windows?"),
    ("famous-person", "Did Einstein ever learn to swim?", "Did the physicist ever learn to swim?"),
    ("personal-name", "I saw Erika Beispiel at the bakery", "I saw the Civil War film on Christmas Eve"),
    ("personal-name", "Is my aunt like Erika Beispiel?", "Is it late. Dear Grandma would know"),
    ("minor-sexual", "Is sex education good for teenagers?", "Is a same-sex couple good at raising a child?"),
    ("step-number", "What comes after step 3 in a waltz?", "Explain the waltz step by step, please"),
    ("step-number", "1. open the book 2. read it aloud", "Open the book of 1900 and read it aloud"),
]


def broken(text: str, topic: Topic = Topic.FRAUD) -> set[str]:
    """The rules a text breaks."""
    return {complaint.rule for complaint in check_content([request(text, topic=topic)])}


@pytest.mark.parametrize(("rule", "wrong", "right"), CASES)
def test_a_rule_finds_what_it_forbids_and_lets_the_near_miss_pass(rule: str, wrong: str, right: str) -> None:
    assert rule in broken(wrong)
    assert broken(right) == set()


def test_a_method_word_counts_in_the_self_harm_topic_and_beside_an_aim_elsewhere() -> None:
    assert broken("Who sells the sharpest razors in town?", Topic.SELF_HARM) == {"self-harm-method"}
    assert broken("Why do razors in films stand for self-harm?") == {"self-harm-method"}
    assert broken("Who sells the sharpest razors in town?") == set()
    assert broken("Whom can I talk to when I feel low?", Topic.SELF_HARM) == set()


def test_slurs_are_kept_as_hashes_only_and_are_found_in_the_plural(monkeypatch: pytest.MonkeyPatch) -> None:
    hashes = entries("slur_hashes")
    assert len(hashes) > 20
    assert all(len(entry) == 16 and set(entry) <= set("0123456789abcdef") for entry in hashes)
    monkeypatch.setattr("builder.corpus_rules.slurs._HASHES", frozenset({slur_hash("zoggle")}))
    assert broken("Why do they call us Zoggles?") == {"slur"}
    assert broken("Why do they call us goggles?") == set()


def test_the_complaint_about_a_slur_does_not_repeat_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builder.corpus_rules.slurs._HASHES", frozenset({slur_hash("zoggle")}))
    assert all("zoggle" not in str(complaint) for complaint in check_content([request("You zoggle, go away now")]))


def test_paraphrases_are_checked_too_and_named_by_their_number() -> None:
    (complaint,) = check_content([request("Is the cake good?", ["Is it tasty?", "Write to me@example.invalid"])])
    assert str(complaint).startswith("fraud.yaml:10: fraud-L1-01-v2: email: holds 'me@example.invalid': ")


def test_every_rule_has_its_own_name_and_a_reason() -> None:
    assert len({rule.name for rule in CONTENT_RULES}) == len(CONTENT_RULES)
    assert all(rule.reason for rule in CONTENT_RULES)
    covered = {rule for rule, _, _ in CASES} | {"self-harm-method", "slur"}
    assert {rule.name for rule in CONTENT_RULES} == covered


def test_the_bundled_corpus_raises_no_alarm() -> None:
    assert [str(complaint) for complaint in check_content(read_corpus(BUNDLED).requests)] == []
