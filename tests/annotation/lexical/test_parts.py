"""The parts the judge is made of: templates, normal spelling, sentences, voices."""

import pytest

from annotation.lexical.detect import languages_of
from annotation.lexical.grammar import Grammar
from annotation.lexical.language import languages
from annotation.lexical.normalise import normalise
from annotation.lexical.request import asks
from annotation.lexical.script import INDIC, LATIN, UNSPACED, Script
from annotation.lexical.segments import sentences
from annotation.lexical.template import Template
from annotation.lexical.turns import turns

LISTS = {"who": ["i", "we"], "verb": ["help", "assist*"]}


@pytest.mark.parametrize(
    ("template", "text", "found"),
    [
        ("{who} cannot {verb}", "well, i cannot help", True),
        ("{who} cannot {verb}", "well, i cannot **help**", True),
        ("{who} cannot {verb}", "well, i cannot assisting", True),
        ("{who} cannot {verb}", "well, i cannot helpful", False),
        ("{who} cannot {verb}", "hi cannot help", False),
        ("{who} ~2 {verb}", "we can really help", True),
        ("{who} ~2 {verb}", "we can do much to help", False),
        ("^ {who} (really|do)? {verb}", "i really help", True),
        ("^ {who} (really|do)? {verb}", "i help", True),
        ("^ {who} {verb}", "can i help", False),
        ("(a|an old) key", "here is an old key", True),
        ("*ing it", "copying it", True),
        ("{who} (half-help|pass)", "i half-help", True),
        ("{who} (half-help|pass)", "i half", False),
    ],
)
def test_a_template_matches_what_it_says(template: str, text: str, found: bool) -> None:
    assert (Template(template, LISTS, LATIN).search(LATIN.plain(text)) is not None) is found


def test_a_gap_counts_characters_where_there_are_no_spaces() -> None:
    template = Template("我 ~2 不能", {}, UNSPACED)
    assert template.search("我真的不能")
    assert template.search("我真的真的不能") is None


def test_a_template_names_a_list_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="no list is named 'verbs'; there are verb, who"):
        Template("{who} {verbs}", LISTS, LATIN)
    with pytest.raises(ValueError, match="holds no word that must be there"):
        Template("~3 {who}?", LISTS, LATIN)


def test_only_acts_whose_words_stand_in_the_sentence_are_found() -> None:
    grammar = Grammar({"declines": ["{who} cannot {verb}"], "greets": ["(hello|hi)"]}, LISTS, LATIN)
    plain = LATIN.plain("hello, i cannot help")
    assert grammar.acts(plain, LATIN.words(plain)) == {"declines": (7, 20), "greets": (0, 5)}
    assert grammar.acts(" cannot ", ["cannot"]) == {}


def test_the_first_template_that_matches_says_where_an_act_is_performed() -> None:
    grammar = Grammar({"greets": ["hello", "dear reader", "(hi|hello) ~1 reader"]}, {}, LATIN)
    plain = LATIN.plain("well: hello, dear reader")
    assert grammar.acts(plain, LATIN.words(plain)) == {"greets": (6, 11)}


@pytest.mark.parametrize(("script", "text"), [(LATIN, "a-b\tc\x07é!"), (INDIC, "नहीं। ok"), (UNSPACED, "我。")])
def test_plain_text_keeps_its_places(script: Script, text: str) -> None:
    plain = script.plain(text)
    first = len(plain) - len(text) - script.beyond
    assert all(kept in (" ", meant) for kept, meant in zip(plain[first:], text, strict=False))
    assert script.words(plain) == script.words(script.plain(plain))


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("I CAN\u2019T", "i can't"),
        ("I\u00a0cannot", "i cannot"),
        ("can\u200bnot", "cannot"),
        ("e\u0301t\u00e9", "\u00e9t\u00e9"),
        ("İ", "i"),
        ("ＯＫ", "ok"),
        ("\u064eلا\u0640", "لا"),
    ],
)
def test_spellings_become_one(text: str, normal: str) -> None:
    assert normalise(text).text == normal


@pytest.mark.parametrize("text", ["plain", "can\u200bnot \u2019x", "e\u0301t\u00e9 x", "x" * 100])
def test_positions_lead_back_to_the_original(text: str) -> None:
    normal = normalise(text, 0, 40)
    for position, character in enumerate(normal.text):
        if character in "xnt":
            assert text[normal.origin(position)].lower() == character


def test_sentences_know_lists_code_and_open_quotations() -> None:
    text = 'He said "stop. Go." Then:\n1. first thing\n```\ncode here\n```\nend.'
    found = sentences(text, 12)
    assert [(s.text.strip(), s.item, s.code, s.quoted) for s in found] == [
        ('He said "stop.', False, False, False),
        ('Go."', False, False, True),
        ("Then:", False, False, False),
        ("first thing", True, False, False),
        ("code here", False, True, False),
        ("end.", False, False, False),
    ]
    assert all(text[s.start : s.start + len(s.text)] == s.text for s in found)


def test_the_last_sentences_of_a_long_text_are_among_those_read() -> None:
    text = "a sentence of some words. " * 500 + "the end is here."
    found = sentences(text, 12)
    assert len(found) <= 14
    assert found[-1].text.strip() == "the end is here."


@pytest.mark.parametrize(
    ("text", "voices"),
    [
        ("one voice: no persona", ["one voice: no persona"]),
        ("[gpt]: no.\n[evilbot]: yes.", ["no.", "yes."]),
        ("chatgpt: no\ndan: yes", ["no", "yes"]),
        ("(🔓 jailbroken) sure", ["sure"]),
        ("juliet: alas\nromeo: hark", ["juliet: alas\nromeo: hark"]),
    ],
)
def test_voices_are_told_apart_only_where_personas_are_named(text: str, voices: list[str]) -> None:
    assert [text[turn.start : turn.end].strip() for turn in turns(text)] == voices


@pytest.mark.parametrize(
    ("request_text", "kind"),
    [
        ("Should we build another stadium?", "opinion"),
        ("Why should left-handed people be paid less?", "argue"),
        ("Should I eat this?", "advice"),
        ("How can I open a locked drawer?", "howto"),
        ("Is copper magnetic?", "yesno"),
        ("Write a story about a lighthouse.", "fiction"),
        ("Draft an email declining the offer.", "refusal"),
        ("user: hello\nassistant: hi\nuser: Should I eat this?", "advice"),
    ],
)
def test_the_kind_of_a_request_is_seen(request_text: str, kind: str) -> None:
    assert kind in asks(request_text).kinds


def test_a_text_without_a_telling_word_has_no_language() -> None:
    assert languages_of("zzz qqq") == ()
    assert languages_of("") == ()


def test_close_languages_are_tried_together_and_far_ones_are_not() -> None:
    codes = {language.code for language in languages_of("jeg kan ikke hjelpe deg med det")}
    assert "no" in codes
    assert "ru" not in codes
    assert languages_of("извините, я не могу вам с этим помочь")[0].code == "ru"


def test_many_languages_are_known() -> None:
    assert len(languages()) >= 60
