"""The language of a text."""

from __future__ import annotations

import pytest

from trimtab.handoff.language import language


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Please find out why the nightly run stops and what should be done.", "en"),
        ("Bitte finde heraus, warum der Lauf nicht endet, und ändere die Datei.", "de"),
        ("Trouve pourquoi le test ne passe pas dans cette branche, avec les détails.", "fr"),
        ("Busca por qué no funciona la prueba y qué hay que cambiar en los datos.", "es"),
        ("Descubra por que o teste não passa e o que está errado com os dados.", "pt"),
        ("Scopri perché il test non passa e che cosa è cambiato nella configurazione.", "it"),
        ("なぜテストが失敗するのか調べてください。src/a.py です。", "ja"),
        ("请找出夜间任务为什么停止，并修改 src/billing/invoice.py。", "zh"),
        ("왜 테스트가 실패하는지 찾아 주세요.", "ko"),
        ("Найди, почему тест не проходит.", "ru"),
        ("```\nthe and of to in is\n```\nBitte ändere das und nicht die anderen.", "de"),
        ("src/a.py 12", ""),
        ("", ""),
    ],
)
def test_languages(text: str, code: str) -> None:
    assert language(text) == code
