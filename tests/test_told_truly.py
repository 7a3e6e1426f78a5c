"""True sentences of other kinds than 'it was done', each with a false one beside it that must still go."""

from __future__ import annotations

import pytest

from verifier import Ledger, Tool, verify


def hotel() -> Ledger:
    """A stay was looked up and extended, breakfast was added; late checkout waits for the hotel."""
    writes = ("modify_booking", "add_breakfast", "request_late_checkout")
    ledger = Ledger(tools=[Tool("get_booking", write=False), *map(Tool, writes)])
    found = {"ref": "HB-7", "check_in": "2026-08-18", "check_out": "2026-08-20", "total": 280.0}
    ledger.record("get_booking", {"ref": "HB-7"}, outcome="done", result=found)
    made = {"ref": "HB-7", "check_out": "2026-08-22", "total": 560.0, "nights": 4}
    ledger.record("modify_booking", {"ref": "HB-7", "check_out": "2026-08-22"}, outcome="done", result=made)
    ledger.record("add_breakfast", {"ref": "HB-7"}, outcome="done", result={"price_per_day": 18.0, "total": 144.0})
    waits = {"status": "requested"}
    ledger.record("request_late_checkout", {"ref": "HB-7"}, outcome="pending_confirmation", result=waits)
    return ledger


@pytest.mark.parametrize(
    ("said", "lie"),
    [
        ("I've extended your stay by two nights.", "I've extended your stay by two nights, to August 24."),
        ("I've extended your stay: four nights from 18 to 22 August.", "I've extended your stay from 17 to 23 August."),
        (
            "Your stay now costs $560.00, and breakfast adds $144.00, so $704.00 in all.",
            "Your stay now costs $650.00, and breakfast adds $144.00.",
        ),
        ("Late checkout has been requested.", "Late checkout has been confirmed."),
        ("Only the late checkout is open.", "The late checkout is confirmed."),
        ("Everything except the late checkout is confirmed.", "The late checkout is confirmed."),
    ],
)
def test_of_a_stay(said: str, lie: str) -> None:
    assert verify(said, hotel()).text.startswith(said)
    assert not verify(lie, hotel()).text.startswith(lie)


def refunds() -> Ledger:
    """Two payments were read: one was refunded long ago, of the other a part is refunded now."""
    ledger = Ledger(tools=[Tool("list_payments", write=False), Tool("refund"), Tool("send_receipt")])
    payments = [
        {"id": "PY-1", "amount": 1480.0, "date": "2026-04-03", "status": "refunded"},
        {"id": "PY-2", "amount": 60.0, "date": "2026-05-03", "status": "paid"},
    ]
    ledger.record("list_payments", {}, outcome="done", result={"payments": payments})
    ledger.record("refund", {"payment": "PY-2", "amount": 20.0}, outcome="done", result={"amount": 20.0})
    ledger.record("send_receipt", {"payment": "PY-2"}, outcome="done", result={"ok": True})
    return ledger


@pytest.mark.parametrize(
    ("said", "lie"),
    [
        ("I refunded €20.00 of the €60.00 payment.", "I refunded €60.00 of the payment."),
        ("PY-1 over €1,480.00 was refunded in full.", "PY-2 over €60.00 was refunded in full."),
        ("Your payment of €1,480 from April 3 was refunded.", "I've refunded your payment of €1,480."),
        ("The receipt itself was not changed.", "The receipt was not sent."),
    ],
)
def test_of_refunds(said: str, lie: str) -> None:
    assert verify(said, refunds()).text.startswith(said)
    assert not verify(lie, refunds()).text.startswith(lie)


def flights() -> Ledger:
    """A ticket was looked up; changing it was refused."""
    ledger = Ledger(tools=[Tool("get_reservation", write=False), Tool("change_flight")])
    ledger.record("get_reservation", {"pnr": "K7QX2L"}, outcome="done", result={"pnr": "K7QX2L", "flight": "TP440"})
    reason = "basic economy tickets cannot be changed"
    ledger.record("change_flight", {"pnr": "K7QX2L", "flight": "TP442"}, outcome="refused", reason=reason)
    return ledger


@pytest.mark.parametrize(
    ("said", "lie"),
    [
        ("TP440 is on time.", "TP442 is booked."),
        ("Changes made at the airport cost $80.", "The change made to your flight cost $80."),
        ("Flights changed within a day cost nothing.", "Your flight was changed within a day."),
    ],
)
def test_of_a_refused_change(said: str, lie: str) -> None:
    assert verify(said, flights()).text.startswith(said)
    assert not verify(lie, flights()).text.startswith(lie)


def test_what_others_recorded_is_told_of_their_record() -> None:
    ledger = Ledger(tools=[Tool("get_student", write=False), Tool("record_absence")])
    absences = [{"date": "2026-01-12", "reason": "fever", "recorded_by": "Ms Cole"}]
    ledger.record("get_student", {"id": "S-3"}, outcome="done", result={"id": "S-3", "absences": absences})
    ledger.record("record_absence", {"student": "S-3", "date": "2026-01-19"}, outcome="done")
    said, lie = "The absence on January 12 was recorded by Ms Cole.", "I've recorded the absence on January 12."

    assert verify(said, ledger).text.startswith(said)
    assert not verify(lie, ledger).text.startswith(lie)


@pytest.mark.parametrize(
    ("language", "said", "lie"),
    [
        ("en", "I tried to alert the owner, but the request timed out.", "I couldn't alert the owner."),
        ("pt-BR", "Tentei avisar o dono, mas deu tempo esgotado.", "Não consegui avisar o dono."),
    ],
)
def test_the_end_of_an_attempt_is_told_as_the_call_gives_it(language: str, said: str, lie: str) -> None:
    ledger = Ledger(tools=[Tool("alert_owner")])
    ledger.record("alert_owner", {}, outcome="unknown", reason={"en": "timed out", "pt-BR": "tempo esgotado"}[language])

    assert verify(said, ledger, language=language).text == said
    assert verify(lie, ledger, language=language).text != lie


@pytest.mark.parametrize(
    ("said", "lie"),
    [
        ("Tudo, exceto o convite, foi enviado.", "O convite foi enviado."),
        ("O convite está em aberto.", "O convite saiu."),
    ],
)
def test_exceptions_and_open_things_in_portuguese(said: str, lie: str) -> None:
    ledger = Ledger(tools=[Tool("enviar_convite"), Tool("enviar_fatura")])
    ledger.record("enviar_convite", {"para": "Bia"}, outcome="pending_confirmation")

    assert verify(said, ledger, language="pt-BR").text == said
    assert verify(lie, ledger, language="pt-BR").text != lie


def one(tool: str, outcome: str, reason: str = "", **arguments: object) -> Ledger:
    """A turn with one write."""
    ledger = Ledger(tools=[Tool(tool)])
    ledger.record(tool, arguments, outcome=outcome, reason=reason)
    return ledger


@pytest.mark.parametrize(
    ("language", "said", "lie"),
    [
        ("en", "The report may not have gone out, since the mail server didn't respond.", "The report did not go out."),
        ("en", "Sending the report timed out.", "Sending the report failed."),
        ("en", "The report was not confirmed.", "The report was not sent."),
        ("pt-BR", "O envio do relatório não foi confirmado.", "O relatório não foi enviado."),
    ],
)
def test_that_nobody_answered_is_no_failure(language: str, said: str, lie: str) -> None:
    tool = {"en": "send_report", "pt-BR": "enviar_relatorio"}[language]
    ledger = one(tool, "unknown", "no answer")

    assert verify(said, ledger, language=language).text == said
    assert verify(lie, ledger, language=language).text != lie


def test_a_day_of_another_stretch_is_not_of_the_next() -> None:
    ledger = one("request_extension", "done", case="TX-3", until="2026-07-15")
    said = "Your return was received on March 14 and is under review. The extension to July 15 is requested."

    assert verify(said, ledger).text == said
    lie = "The extension is requested, and it runs until July 25."
    assert verify(lie, ledger).text != lie


def test_what_a_sentence_names_may_be_of_another_call() -> None:
    ledger = Ledger(tools=[Tool("alterar_pedido"), Tool("aplicar_cupom")])
    ledger.record("alterar_pedido", {"pedido": "811", "remover": "guioza"}, outcome="done")
    ledger.record("aplicar_cupom", {"codigo": "JAP10"}, outcome="failed", reason="cupom expirado")
    said = "O guioza saiu do pedido. O cupom não foi aplicado: cupom expirado."
    lie = "O cupom foi aplicado."

    assert verify(said, ledger, language="pt-BR").text.startswith(said)
    assert not verify(lie, ledger, language="pt-BR").text.startswith(lie)


def test_what_somebody_reported_stands_in_the_record() -> None:
    ledger = Ledger(tools=[Tool("get_vehicle", write=False), Tool("add_driver"), Tool("report_damage")])
    damages = [{"date": "2026-03-02", "text": "scratch on door", "reported_by": "Bea"}]
    ledger.record("get_vehicle", {"id": "V-2"}, outcome="done", result={"id": "V-2", "damages": damages})
    ledger.record("report_damage", {"id": "V-2", "text": "flat tyre"}, outcome="failed", reason="offline")
    said, lie = "The scratch on the door was reported by Bea on March 2.", "The flat tyre has been reported."

    assert verify(said, ledger).text.startswith(said)
    assert not verify(lie, ledger).text.startswith(lie)


@pytest.mark.parametrize(
    ("language", "said", "lie"),
    [
        (
            "en",
            "I moved it from May 20 at 9 am to May 21 at 2 pm.",
            "I moved it from May 20 at 9 am to May 23 at 2 pm.",
        ),
        (
            "pt-BR",
            "Remarquei do dia 20/05 às 9h para o dia 21/05 às 14h.",
            "Remarquei do dia 20/05 às 9h para o dia 23/05 às 14h.",
        ),
        (
            "pt-BR",
            "Antes estava marcado pra 20/05 às 9h; agora é 21/05 às 14h.",
            "Agora está marcado pra 20/05 às 9h, como antes.",
        ),
    ],
)
def test_the_old_day_of_a_change(language: str, said: str, lie: str) -> None:
    tools = {"en": ("book_visit", "move_visit"), "pt-BR": ("agendar_visita", "remarcar_visita")}[language]
    ledger = Ledger(tools=[Tool(tool) for tool in tools])
    at = {"date": "2026-05-20", "time": "09:00"}
    ledger.record(tools[0], {"guest": "Nina", **at}, outcome="done", result={"id": "AG-1"})
    ledger.begin_turn()
    ledger.record(tools[1], {"id": "AG-1", "date": "2026-05-21", "time": "14:00"}, outcome="done")

    assert verify(said, ledger, language=language).text == said
    assert verify(lie, ledger, language=language).text != lie


def mail(outcome: str, tool: str = "archive_mail") -> Ledger:
    """A newsletter was found; it was archived or trashed, or not."""
    tools = [Tool("search_mail", write=False), Tool("archive_mail"), Tool("trash_mail")]
    ledger = Ledger(tools=tools)
    ledger.record("search_mail", {"from": "Picks"}, outcome="done", result={"id": "m-1", "subject": "Picks"})
    ledger.record(tool, {"id": "m-1"}, outcome=outcome, reason="" if outcome == "done" else "still in the inbox")
    return ledger


@pytest.mark.parametrize("said", ["It has left your inbox.", "It now lives in the archive.", "It's out of your inbox."])
def test_where_a_mail_is_tells_what_was_done_to_it(said: str) -> None:
    assert verify(said, mail("done")).text == said
    assert verify(said, mail("failed")).text == "Not done: archive mail: still in the inbox."


def test_to_keep_a_thing_is_not_to_end_it() -> None:
    archived, trashed = "I've archived the mail from Picks.", "I've trashed the mail from Picks."

    assert verify(archived, mail("done")).text == archived
    assert verify(trashed, mail("done", "trash_mail")).text == trashed
    assert archived not in verify(archived, mail("done", "trash_mail")).text
    assert trashed not in verify(trashed, mail("done")).text


def test_a_reference_that_the_call_did_not_give() -> None:
    ledger = Ledger(tools=[Tool("book_ticket")])
    ledger.record("book_ticket", {"flight": "ZP 118"}, outcome="done", result={"ticket": "TK-5501"})
    booked = "You're booked on ZP 118. "
    said, lie = "The ticket number is TK-5501.", "The booking reference is QX7LMP."

    assert verify(booked + said, ledger).text == booked + said
    assert "QX7LMP" not in verify(booked + lie, ledger).text
    ledger.hear("My old booking reference was QX7LMP.")
    assert verify(booked + lie, ledger).text == booked + lie


def test_a_word_with_no_before_a_hyphen_denies_nothing() -> None:
    ledger = Ledger(tools=[Tool("request_zone")])
    ledger.record("request_zone", {"street": "Canal St"}, outcome="failed", reason="office closed")
    lie = "The no-parking zone in Canal St has been requested."

    assert verify(lie, ledger).text == "Not done: request zone: office closed."
    ledger = Ledger(tools=[Tool("request_zone")])
    ledger.record("request_zone", {"street": "Canal St"}, outcome="done")
    assert verify(lie, ledger).text == lie


def test_who_did_it_is_named_in_portuguese_too() -> None:
    ledger = Ledger(tools=[Tool("buscar_candidato", write=False), Tool("enviar_email")])
    ledger.record("buscar_candidato", {"nome": "Lia"}, outcome="done", result={"nome": "Lia", "indicada_por": "Marta"})
    ledger.record("enviar_email", {"para": "lia@x.com"}, outcome="not_attempted")
    said, lie = "Ela foi indicada pela Marta.", "O e-mail foi enviado."

    assert verify(said, ledger, language="pt-BR").text.startswith(said)
    assert not verify(lie, ledger, language="pt-BR").text.startswith(lie)


def test_an_attempt_that_got_no_answer() -> None:
    said = "Tentei reiniciar o roteador, mas o aparelho não respondeu."
    lie = "Não consegui reiniciar o roteador."
    ledger = one("reiniciar_roteador", "unknown", "sem resposta")

    assert verify(said, ledger, language="pt-BR").text == said
    assert verify(lie, ledger, language="pt-BR").text != lie


def test_a_state_that_was_read_stands_beside_a_refusal() -> None:
    ledger = Ledger(tools=[Tool("ver_conta", write=False), Tool("aumentar_limite")])
    ledger.record("ver_conta", {"conta": "1"}, outcome="done", result={"cartao": "7712", "status_cartao": "ativo"})
    ledger.record("aumentar_limite", {"para": 800}, outcome="refused", reason="renda não comprovada")
    said, lie = "Seu cartão final 7712 está ativo.", "Seu limite foi aumentado."

    assert verify(said, ledger, language="pt-BR").text.startswith(said)
    assert not verify(lie, ledger, language="pt-BR").text.startswith(lie)


def test_done_speaks_of_what_it_lists() -> None:
    ledger = Ledger(tools=[Tool("move_event"), Tool("invite_guest")])
    ledger.record("move_event", {"title": "dentist", "to": "2026-05-13"}, outcome="done")
    ledger.record("invite_guest", {"name": "Max"}, outcome="refused", reason="calendar is private")
    said, lie = "It's done: dentist on Wednesday.", "It's done."

    assert verify(said, ledger).text.startswith(said)
    assert not verify(lie, ledger).text.startswith(lie)


@pytest.mark.xfail(strict=True, reason="docs/limits.md: some true sentences are still changed")
@pytest.mark.parametrize(
    ("language", "tool", "outcome", "said"),
    [
        ("en", "exchange_item", "failed", "That means the old one is on its way to you."),
        ("pt-BR", "pagar", "done", "Boletos pagos depois das 18h caem no dia seguinte."),
    ],
)
def test_states_and_rules_that_are_still_changed(language: str, tool: str, outcome: str, said: str) -> None:
    ledger = one(tool, outcome, "order already processed", item="jacket", at="09:00")

    assert verify(said, ledger, language=language).text.startswith(said)


@pytest.mark.xfail(strict=True, reason="docs/limits.md: what a reply tells may be told again")
@pytest.mark.parametrize("told", ["You can log in again.", "It isn't locked any more, so try once more."])
def test_what_follows_from_an_act_is_told_again(told: str) -> None:
    assert verify(told, one("unlock_account", "done", user="jdoe")).text == told
