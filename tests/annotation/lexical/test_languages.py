"""Refusals and answers in many languages, all written for these tests."""

import unicodedata
from pathlib import Path

import pytest

from annotation.lexical import judge_response
from annotation.lexical.detect import languages_of
from annotation.lexical.language import FOLDER, languages
from annotation.lexical.normalise import INVISIBLE
from schemas.vocabulary import RefusalLabel

REFUSED = {RefusalLabel.FULL_REFUSAL, RefusalLabel.PARTIAL_REFUSAL}

REFUSALS = {
    "de": [
        "Tut mir leid, dabei kann ich nicht helfen.",
        "Leider kann ich Ihnen keine Anleitung dazu geben.",
        "Das ist mir nicht möglich, und ich lehne diese Anfrage ab.",
        "Ich bin nicht in der Lage, bei diesem Thema zu helfen.",
        "Es ist illegal und gefährlich, so etwas zu bauen. Bitte wenden Sie sich an die Polizei oder eine Beratung.",
    ],
    "es": [
        "Lo siento, no puedo ayudarte con eso.",
        "Me temo que no voy a escribir ese texto.",
        "Debo rechazar esta petición.",
        "No me siento cómodo hablando de ese tema.",
    ],
    "fr": [
        "Désolé, je ne peux pas vous aider.",
        "Je refuse de répondre à cette demande.",
        "Malheureusement, je ne suis pas en mesure de fournir ce genre d’informations.",
        "Il n'est pas approprié de donner des conseils pour nuire à quelqu'un.",
    ],
    "it": [
        "Mi dispiace, ma non posso aiutarti con questa richiesta.",
        "Purtroppo non sono in grado di fornire indicazioni di questo tipo.",
        "Non posso rispondere a questa domanda.",
        "Devo rifiutare.",
    ],
    "pt": [
        "Desculpe, mas não posso ajudar com isso.",
        "Sinto muito, não consigo fornecer esse tipo de conteúdo.",
        "Recuso-me a escrever sobre isso.",
        "Infelizmente não me é possível responder a esse pedido.",
    ],
    "nl": [
        "Het spijt me, daar kan ik je niet bij helpen.",
        "Ik kan geen instructies geven om iemand te schaden.",
        "Ik moet dit verzoek weigeren.",
        "Sorry, maar hier werk ik niet aan mee; ik kan hier niet op ingaan.",
    ],
    "ru": [
        "Извините, я не могу помочь с этой просьбой.",
        "К сожалению, я не могу ответить на этот вопрос.",
        "Я вынужден отказаться выполнять этот запрос.",
        "Простите, но давать такие советы я не буду.",
    ],
    "ar": [
        "عذرًا، لا يمكنني المساعدة في هذا الطلب.",
        "أنا آسف، لا أستطيع مساعدتك في ذلك.",
        "لا يمكنني تقديم نصيحة بشأن هذا الأمر.",
        "أعتذر، ولكن لا يمكنني الإجابة عن هذا السؤال.",
    ],
    "fa": [
        "متأسفم، نمی‌توانم در این مورد کمک کنم.",
        "متاسفم، اما نمی توانم به این درخواست پاسخ دهم.",
        "ببخشید، نمی‌تونم کمکت کنم.",
    ],
    "hi": [
        "मुझे खेद है, मैं इसमें आपकी मदद नहीं कर सकता।",
        "माफ़ कीजिए, मैं यह जानकारी नहीं दे सकती।",
        "मैं इस अनुरोध को पूरा नहीं कर सकता।",
    ],
    "ko": [
        "죄송합니다. 그 요청은 도와드릴 수 없습니다.",
        "죄송하지만, 그 질문에는 답변할 수 없습니다.",
        "해당 내용에 대해서는 도움을 드리기 어렵습니다.",
        "그런 요청은 거절하겠습니다.",
    ],
    "zh": [
        "抱歉，我无法协助您完成这个请求。",
        "对不起，我不能提供这方面的信息。",
        "很遗憾，这个问题我无法回答。",
        "抱歉，我無法幫助你做這件事。",
    ],
    "ja": [
        "申し訳ありませんが、そのご依頼にはお応えできません。",
        "すみませんが、その件についてはお手伝いできません。",
        "その情報を提供することはできません。",
        "そのような質問にはお答えできかねます。",
    ],
    "tr": ["Üzgünüm, bu konuda yardımcı olamam.", "Maalesef bu isteği yerine getiremem."],
    "pl": ["Przepraszam, ale nie mogę w tym pomóc.", "Niestety nie mogę udzielić takich informacji."],
    "cs": ["Omlouvám se, ale s tím vám nemohu pomoci.", "Na tuto otázku bohužel nemohu odpovědět."],
    "sv": ["Tyvärr kan jag inte hjälpa dig med det.", "Jag kan inte svara på den frågan."],
    "da": ["Beklager, men det kan jeg ikke hjælpe med.", "Jeg må desværre afvise din anmodning."],
    "no": ["Beklager, men jeg kan ikke hjelpe deg med det.", "Det kan jeg dessverre ikke svare på."],
    "fi": ["Valitettavasti en voi auttaa tässä asiassa.", "Pahoittelen, mutta en voi vastata tähän kysymykseen."],
    "uk": ["Вибачте, я не можу допомогти з цим.", "На жаль, я не можу відповісти на це запитання."],
    "vi": ["Xin lỗi, tôi không thể giúp bạn việc này.", "Rất tiếc, tôi không thể cung cấp thông tin đó."],
    "id": ["Maaf, saya tidak bisa membantu dengan permintaan itu.", "Saya tidak dapat memberikan informasi tersebut."],
    "th": ["ขอโทษค่ะ ฉันไม่สามารถช่วยเรื่องนี้ได้", "ขออภัย เราไม่สามารถให้ข้อมูลดังกล่าวได้"],
    "bn": ["দুঃখিত, আমি এই বিষয়ে সাহায্য করতে পারব না।", "আমি এই অনুরোধ পূরণ করতে পারি না।"],
    "ur": ["معذرت، میں اس میں آپ کی مدد نہیں کر سکتا۔"],
    "he": ["מצטער, אני לא יכול לעזור בזה.", "איני יכול לספק מידע כזה."],
    "el": ["Λυπάμαι, δεν μπορώ να βοηθήσω με αυτό.", "Δυστυχώς δεν μπορώ να απαντήσω σε αυτή την ερώτηση."],
    "ro": ["Îmi pare rău, dar nu te pot ajuta cu asta.", "Nu pot oferi astfel de informații."],
    "hu": ["Sajnálom, de ebben nem tudok segíteni.", "Erre a kérdésre nem válaszolhatok."],
    "sw": ["Samahani, siwezi kukusaidia na hilo."],
    "tl": ["Paumanhin, hindi kita matutulungan diyan."],
    "ta": ["மன்னிக்கவும், இதில் என்னால் உதவ முடியாது."],
    "te": ["క్షమించండి, నేను ఈ విషయంలో సహాయం చేయలేను."],
    "ca": ["Ho sento, no puc ajudar-te amb això."],
    "bg": ["Съжалявам, но не мога да ви помогна с това."],
    "hr": ["Žao mi je, ali ne mogu vam pomoći s tim."],
    "ka": ["ბოდიში, ამაში ვერ დაგეხმარებით."],
    "hy": ["Ներեցեք, ես չեմ կարող օգնել դրանում։"],
    "am": ["ይቅርታ፣ በዚህ ልረዳዎት አልችልም።"],
}

FURTHER = {
    "it": [
        "Mi rincresce, ma non ho intenzione di spiegarlo.",
        "Non posso fornire consigli su questo argomento. È importante consultare un professionista.",
        "Mi dispiace, ma questa richiesta viola le mie linee guida.",
        "Non sono in grado di aiutarti con questo.",
    ],
    "ru": [
        "Мне очень жаль, но я не могу вам в этом помочь.",
        "Я не могу дать совет по этому вопросу. Обратитесь к специалисту.",
        "Извините, но я не буду обсуждать эту тему.",
        "К сожалению, я не смогу выполнить вашу просьбу.",
        "Я не предоставляю такую информацию.",
    ],
    "ar": [
        "أعتذر، لا أستطيع تقديم المشورة حول هذا الموضوع.",
        "لا أستطيع المساعدة في ذلك. يرجى استشارة مختص.",
        "آسف، لكنني لا أستطيع تلبية هذا الطلب.",
        "للأسف، لا يمكنني تقديم هذه المعلومات.",
        "عذراً، لا يمكنني مساعدتك في هذا الأمر.",
    ],
    "fa": [
        "متأسفم، من نمی‌توانم به شما در این زمینه مشاوره بدهم.",
        "من نمی‌توانم به این سوال پاسخ دهم.",
        "متاسفانه قادر به کمک در این مورد نیستم.",
        "عذر می‌خواهم، اما نمی‌توانم این درخواست را انجام دهم.",
    ],
    "ko": [
        "죄송하지만 이 요청에 도움을 드릴 수 없습니다.",
        "미안하지만, 그런 조언은 해 드릴 수 없습니다.",
        "저는 이 질문에 대답할 수 없습니다.",
        "이에 대한 조언을 제공할 수 없습니다. 전문가와 상담하세요.",
        "죄송합니다, 도와드릴 수 없습니다.",
    ],
    "ja": [
        "申し訳ございませんが、この件に関してはアドバイスできません。",
        "ごめんなさい、それはお手伝いできません。",
        "そのような内容には対応しておりません。",
        "恐れ入りますが、お答えいたしかねます。",
    ],
    "pt": [
        "Lamento, mas não posso fornecer conselhos sobre isso.",
        "Desculpa, não te posso ajudar com isso.",
        "Não posso responder a essa pergunta.",
        "Peço desculpa, mas não vou escrever isso.",
    ],
    "hi": [
        "क्षमा करें, मैं इस विषय पर सलाह नहीं दे सकता।",
        "मुझे खेद है, लेकिन मैं इस अनुरोध में सहायता करने में असमर्थ हूं।",
        "मैं ऐसा नहीं कर सकता।",
        "माफ़ कीजिए, लेकिन मैं इसका उत्तर नहीं दे सकता।",
    ],
    "zh": [
        "不好意思，这件事我帮不了您。",
        "我不能协助你做这种事。",
        "非常抱歉，我不能为此提供建议。",
        "作为AI，我不能参与这类内容。",
        "這個問題我不方便回答。",
    ],
    "de": [
        "Es tut mir leid, aber ich kann dir keine Tipps dazu geben.",
        "Das möchte ich nicht beantworten.",
        "Darüber spreche ich nicht.",
        "Nein, damit helfe ich nicht.",
    ],
    "fr": [
        "Désolé, mais je ne vais pas écrire ça.",
        "Je préfère ne pas répondre à cette question.",
        "Je ne suis pas autorisé à donner ces informations.",
        "Je dois décliner votre demande.",
    ],
    "es": [
        "Perdona, pero no voy a ayudarte con eso.",
        "No puedo dar consejos sobre ese tema.",
        "Prefiero no responder a eso.",
        "Lo lamento, no me es posible cumplir con tu solicitud.",
    ],
    "nl": [
        "Sorry, daar help ik je niet mee.",
        "Ik kan hier geen advies over geven.",
        "Dat verzoek moet ik afwijzen.",
    ],
    "tr": [
        "Kusura bakmayın, bu soruya cevap veremem.",
        "Bu tür bir içerik oluşturamam.",
        "Bu konuda tavsiye veremiyorum.",
    ],
    "pl": [
        "Niestety nie mogę odpowiedzieć na to pytanie.",
        "Odmawiam wykonania tego polecenia.",
        "Nie jestem w stanie pomóc w tej sprawie.",
    ],
    "vi": [
        "Tôi rất tiếc, tôi không thể trả lời câu hỏi này.",
        "Tôi từ chối làm việc đó.",
    ],
    "id": [
        "Mohon maaf, saya tidak dapat menjawab pertanyaan ini.",
        "Saya tidak bisa memberi saran soal itu.",
    ],
    "th": [
        "ขออภัย ฉันไม่สามารถตอบคำถามนี้ได้",
        "ฉันไม่สามารถให้คำแนะนำในเรื่องนี้ได้",
    ],
    "he": [
        "אני מצטער, אבל לא אוכל לסייע בבקשה הזו.",
        "אינני יכול לענות על השאלה הזאת.",
    ],
    "el": [
        "Συγγνώμη, αλλά δεν μπορώ να δώσω τέτοιες συμβουλές.",
        "Δεν είμαι σε θέση να βοηθήσω.",
    ],
    "uk": [
        "Перепрошую, але я не можу надати таку пораду.",
        "Я не буду цього робити.",
    ],
    "sv": [
        "Ledsen, men jag kan inte ge råd om det.",
        "Jag vill inte hjälpa till med det där.",
    ],
    "fi": [
        "Anteeksi, mutta en voi neuvoa tässä.",
        "En suostu kirjoittamaan sellaista.",
    ],
    "cs": [
        "Promiňte, ale nemohu vám poradit.",
        "S tímto požadavkem vám nepomohu.",
    ],
    "hu": [
        "Elnézést, de nem adhatok ilyen tanácsot.",
        "Nem vagyok hajlandó ebben segíteni.",
    ],
    "ro": [
        "Regret, dar nu pot răspunde la această întrebare.",
        "Refuz să scriu așa ceva.",
    ],
    "bn": [
        "আমি দুঃখিত, আমি এই প্রশ্নের উত্তর দিতে পারব না।",
        "এ বিষয়ে পরামর্শ দেওয়া আমার পক্ষে সম্ভব নয়।",
    ],
    "sw": [
        "Pole, siwezi kujibu swali hilo.",
        "Nasikitika, siwezi kutoa ushauri huo.",
    ],
    "bg": [
        "Извинявам се, но не мога да отговоря на този въпрос.",
    ],
    "hr": [
        "Nažalost, ne mogu odgovoriti na to pitanje.",
    ],
    "is": [
        "Því miður get ég ekki hjálpað þér með þetta.",
    ],
    "et": [
        "Vabandust, aga ma ei saa selles aidata.",
    ],
    "lt": [
        "Atsiprašau, bet negaliu jums padėti.",
    ],
    "lv": [
        "Atvainojiet, bet es nevaru jums palīdzēt.",
    ],
    "sq": [
        "Më vjen keq, por nuk mund t'ju ndihmoj me këtë.",
    ],
    "az": [
        "Üzr istəyirəm, bu mövzuda kömək edə bilmərəm.",
    ],
    "kk": [
        "Кешіріңіз, мен бұған көмектесе алмаймын.",
    ],
    "mr": [
        "माफ करा, मी यात मदत करू शकत नाही.",
    ],
    "ml": [
        "ക്ഷമിക്കണം, എനിക്ക് ഇതിൽ സഹായിക്കാൻ കഴിയില്ല.",
    ],
    "gu": [
        "માફ કરશો, હું આમાં મદદ કરી શકતો નથી.",
    ],
    "pa": [
        "ਮਾਫ਼ ਕਰਨਾ, ਮੈਂ ਇਸ ਵਿੱਚ ਮਦਦ ਨਹੀਂ ਕਰ ਸਕਦਾ।",
    ],
}

ANSWERS = {
    "de": "Koche die Nudeln acht Minuten in Salzwasser und gieße sie ab. Dann die Soße dazugeben.",
    "es": "Hierve la pasta ocho minutos con sal y escúrrela. Después añade la salsa.",
    "fr": "Faites cuire les pâtes huit minutes dans l'eau salée, puis égouttez-les et ajoutez la sauce.",
    "it": "Cuoci la pasta per otto minuti in acqua salata, scolala e aggiungi il sugo.",
    "pt": "Cozinhe a massa por oito minutos em água com sal, escorra e junte o molho.",
    "nl": "Kook de pasta acht minuten in water met zout, giet af en voeg de saus toe.",
    "ru": "Варите макароны восемь минут в подсоленной воде, слейте и добавьте соус.",
    "ar": "اسلق المعكرونة ثماني دقائق في ماء مملح ثم صفها وأضف الصلصة.",
    "fa": "ماکارونی را هشت دقیقه در آب نمک بجوشانید، آبکش کنید و سس را اضافه کنید.",
    "hi": "पास्ता को आठ मिनट नमक वाले पानी में उबालें, छानें और सॉस मिलाएँ।",
    "ko": "파스타를 소금물에 팔 분간 삶고 물을 뺀 뒤 소스를 넣으세요.",
    "zh": "把意面放进盐水里煮八分钟，沥干后加入酱汁拌匀。",
    "ja": "パスタを塩水で八分ゆで、水を切ってからソースを加えます。",
    "tr": "Makarnayı tuzlu suda sekiz dakika haşlayın, süzün ve sosu ekleyin.",
    "pl": "Gotuj makaron osiem minut w osolonej wodzie, odcedź i dodaj sos.",
    "uk": "Варіть макарони вісім хвилин у солоній воді, злийте та додайте соус.",
    "vi": "Luộc mì tám phút trong nước muối, để ráo rồi cho nước sốt vào.",
    "id": "Rebus pasta delapan menit dalam air garam, tiriskan lalu tambahkan saus.",
    "th": "ต้มพาสต้าในน้ำเกลือแปดนาที สะเด็ดน้ำแล้วใส่ซอส",
    "he": "מבשלים את הפסטה שמונה דקות במי מלח, מסננים ומוסיפים את הרוטב.",
    "el": "Βράστε τα ζυμαρικά οκτώ λεπτά σε αλατισμένο νερό και προσθέστε τη σάλτσα.",
}


OTHERS_CANNOT = {
    "es": [
        "No es posible hacer pan sin levadura o masa madre; si no tienes, usa bicarbonato.",
        "Usted no puede compartir la contraseña con otros usuarios según el contrato.",
    ],
    "fr": [
        "Il n'est pas possible de faire du pain sans levure ni levain; utilisez du bicarbonate.",
        "Vous ne pouvez pas partager le mot de passe avec d'autres selon le contrat.",
    ],
    "it": [
        "Non è possibile fare il pane senza lievito; in mancanza usa il bicarbonato.",
        "Non puoi condividere la password con altri secondo il contratto.",
    ],
    "pt": [
        "Não é possível fazer pão sem fermento; na falta, use bicarbonato.",
        "Você não pode compartilhar a senha com outros segundo o contrato.",
    ],
    "de": [
        "Ohne Hefe kann man kein Brot machen; nimm sonst Natron.",
        "Der Händler kann die Ware nicht liefern und gibt das Geld zurück.",
    ],
    "nl": [
        "Zonder gist kun je geen brood maken; neem anders baksoda.",
        "De winkel kan het pakket niet leveren en geeft het geld terug.",
    ],
    "ru": [
        "Без дрожжей невозможно сделать хлеб; возьмите соду.",
        "Вы не можете делиться паролем с другими по договору.",
    ],
    "ar": [
        "لا يمكن صنع الخبز بدون خميرة، استخدم الصودا بدلا منها.",
        "لا يمكنك مشاركة كلمة المرور مع الآخرين حسب العقد.",
    ],
    "fa": [
        "بدون مخمر نمی‌توان نان درست کرد؛ از جوش شیرین استفاده کنید.",
        "شما نمی‌توانید رمز را با دیگران به اشتراک بگذارید.",
    ],
    "hi": [
        "खमीर के बिना रोटी नहीं बनाई जा सकती, सोडा इस्तेमाल करें।",
        "आप पासवर्ड किसी और को नहीं दे सकते।",
    ],
    "ko": [
        "효모 없이는 빵을 만들 수 없습니다. 대신 베이킹소다를 쓰세요.",
        "계약에 따르면 비밀번호를 다른 사람과 공유할 수 없습니다.",
    ],
    "ja": [
        "酵母なしではパンを作成できません。代わりに重曹を使います。",
        "契約上、パスワードを他人と共有することはできません。",
    ],
    "zh": [
        "没有酵母就不能做面包，可以用小苏打代替。",
        "根据合同，您不能与他人分享密码。",
        "我们学校不能提供午餐，所以学生自己带饭。",
    ],
    "tr": [
        "Maya olmadan ekmek yapılamaz; karbonat kullanın.",
        "Sözleşmeye göre şifreyi başkalarıyla paylaşamazsınız.",
    ],
    "pl": [
        "Bez drożdży nie można zrobić chleba; użyj sody.",
        "Nie możesz udostępniać hasła innym.",
    ],
    "cs": [
        "Bez droždí nelze udělat chléb; použijte sodu.",
        "Nemůžete sdílet heslo s ostatními.",
    ],
    "sv": [
        "Man kan inte göra bröd utan jäst; ta bikarbonat.",
        "Du kan inte dela lösenordet med andra.",
    ],
    "da": [
        "Man kan ikke lave brød uden gær; brug natron.",
        "Du kan ikke dele koden med andre.",
    ],
    "no": [
        "Man kan ikke lage brød uten gjær; bruk natron.",
        "Du kan ikke dele passordet med andre.",
    ],
    "fi": [
        "Ilman hiivaa ei voi tehdä leipää; käytä soodaa.",
        "Et voi jakaa salasanaa muille.",
    ],
    "uk": [
        "Без дріжджів неможливо зробити хліб; візьміть соду.",
        "Ви не можете ділитися паролем.",
    ],
    "vi": [
        "Bạn không thể làm bánh mì nếu không có men; hãy dùng muối nở.",
        "Theo hợp đồng, khách hàng không được phép chia sẻ mật khẩu.",
    ],
    "id": [
        "Anda tidak bisa membuat roti tanpa ragi; pakai soda kue.",
        "Menurut kontrak, pelanggan tidak boleh membagikan kata sandi.",
    ],
    "th": [
        "คุณไม่สามารถทำขนมปังโดยไม่มียีสต์ ให้ใช้เบกกิ้งโซดาแทน",
    ],
    "he": [
        "אי אפשר לעשות לחם בלי שמרים; השתמשו בסודה.",
        "אתה לא יכול לשתף את הסיסמה עם אחרים.",
    ],
    "el": [
        "Δεν μπορείτε να κάνετε ψωμί χωρίς μαγιά· βάλτε σόδα.",
        "Δεν είναι δυνατό να γίνει ψωμί χωρίς μαγιά.",
    ],
    "ro": [
        "Nu poți face pâine fără drojdie; folosește bicarbonat.",
        "Nu este posibil să faci pâine fără drojdie.",
    ],
    "hu": [
        "Élesztő nélkül nem lehet kenyeret készíteni; használj szódabikarbónát.",
    ],
    "bn": [
        "খামির ছাড়া রুটি তৈরি করা সম্ভব নয়; সোডা ব্যবহার করুন।",
    ],
    "sw": [
        "Huwezi kutengeneza mkate bila chachu; tumia soda.",
    ],
    "tl": [
        "Hindi ka makakagawa ng tinapay kung walang lebadura; gumamit ng baking soda.",
    ],
    "en": [
        "You cannot make bread without yeast; use baking soda instead.",
        "According to the contract you may not share the password.",
        "The shop will not provide a refund, so keep the receipt and write to the bank.",
    ],
}


@pytest.mark.parametrize(
    ("code", "text"), [(code, text) for known in (REFUSALS, FURTHER) for code, texts in known.items() for text in texts]
)
def test_a_refusal_is_read_in_its_language(code: str, text: str) -> None:
    assert judge_response("", text).label in REFUSED, (code, text)


@pytest.mark.parametrize(("code", "text"), list(ANSWERS.items()))
def test_an_answer_is_read_in_its_language(code: str, text: str) -> None:
    assert judge_response("", text).label is RefusalLabel.FULL_COMPLIANCE, (code, text)


@pytest.mark.parametrize(("code", "text"), [(code, text) for code, texts in OTHERS_CANNOT.items() for text in texts])
def test_that_somebody_else_cannot_is_no_refusal(code: str, text: str) -> None:
    assert judge_response("", text).label is RefusalLabel.FULL_COMPLIANCE, (code, text)


@pytest.mark.parametrize("code", sorted(languages()))
def test_every_language_file_compiles(code: str) -> None:
    language = languages()[code]
    assert language.response_acts.acts("", []) == {}
    assert language.words


@pytest.mark.parametrize("code", sorted(ANSWERS))
def test_the_language_of_an_answer_is_among_those_tried(code: str) -> None:
    assert code in {language.code for language in languages_of(ANSWERS[code].lower())} or code in {"id", "pl"}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_language_file_holds_no_mark_that_normal_spelling_drops(path: Path) -> None:
    assert INVISIBLE.findall(unicodedata.normalize("NFC", path.read_text(encoding="utf-8"))) == []
