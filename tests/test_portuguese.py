"""What Brazilian Portuguese sentences say, with and without accents: each is read in the claim that it makes."""

from __future__ import annotations

import unicodedata

import pytest

from verifier import Ledger, Outcome, Tool, verify
from verifier.grammar import load
from verifier.reader import read_sentence
from verifier.readings import CLAIM_RANK
from verifier.text import tokenize

SAYS = {
    "says_done": [
        "Pronto, já dei baixa no boleto.",
        "Acabamos de emitir a segunda via da sua fatura.",
        "A senha foi redefinida e um link temporário foi enviado.",
        "Já está tudo certo, sua reserva foi confirmada.",
        "Cadastrei a chave aleatória como você pediu.",
        "Fizemos a transferência agora há pouco.",
        "A gente remarcou sua consulta pra sexta.",
        "Remarquei pra vc, ficou pra 6a as 14h",
        "ta agendado, sexta 9h",
        "Consulta desmarcada com sucesso!",
        "Ingresso reembolsado.",
        "O reembolso já foi processado.",
        "Seu plano foi migrado para o Família.",
        "Liguei o ar-condicionado em 22 graus.",
        "Seu cartão encontra-se bloqueado.",
        "Consegui antecipar a entrega para amanhã.",
        "Deu certo, o deploy subiu.",
        "Os dois chamados foram encerrados.",
        "Efetuamos o bloqueio do cartão.",
        "Foi feito o estorno da compra duplicada.",
        "O estorno foi feito.",
        "Incluí sua esposa como dependente.",
        "Incluimos o seguro na reserva.",
        "Excluí os três arquivos da pasta.",
        "Enviei-lhe o contrato por e-mail.",
        "Cancelei-a conforme solicitado.",
        "Não só cancelei a assinatura como pedi o reembolso.",
        "Além de cancelar, já abri o protocolo.",
        "Te mandei o boleto no zap.",
        "O boleto foi pro seu e-mail.",
        "Boleto enviado ✅",
        "Tinha reservado a mesa antes de você escrever.",
        "O pagamento já havia sido estornado.",
        "A compra deve ter sido estornada ontem.",
        "Já era pra ter caído na sua conta.",
        "Seu acesso está liberado.",
        "A luz do quarto tá apagada.",
        "Coloquei o seu nome na lista.",
        "Deixei a porta trancada.",
        "Atendimento transferido para o setor financeiro.",
        "Você está sendo transferida para o financeiro.",
        "Registramos a sua reclamação sob o protocolo 123.",
        "Quitei a parcela de julho.",
        "Seu pedido saiu para entrega.",
        "Ok! Removi o item do carrinho.",
        "Beleza, anotado: removi a alergia do cadastro.",
        "Atualizei seu endereço e reenviei a nota.",
        "Isentei você da multa.",
        "Gerei um novo código PIX.",
        "Parcelei em 3x sem juros.",
        "O sistema já estornou o valor.",
        "Nossa equipe já abriu o chamado.",
        "Suspendi a assinatura até março.",
    ],
    "says_not_done": [
        "Não consegui cancelar o pedido.",
        "Infelizmente não foi possível remarcar.",
        "O pagamento não foi aprovado.",
        "Seu cartão foi recusado.",
        "A transferência falhou.",
        "Não deu pra trocar o horário.",
        "Ainda não enviei o contrato.",
        "nao cancelei nada ainda",
        "Nenhum valor foi cobrado.",
        "Nada foi alterado na sua conta.",
        "Não pude concluir o cadastro.",
        "Não há como cancelar esse pedido.",
        "Deixei de enviar o e-mail.",
        "O pedido não pôde ser cancelado.",
        "O reembolso não foi feito.",
        "Não fiz nenhuma alteração.",
        "Não chegamos a cobrar a taxa.",
        "A reserva não foi nem criada.",
        "Tentei cancelar, mas o sistema recusou.",
        "Tentamos reenviar o código, porém deu erro.",
        "A assinatura continua ativa.",
        "n consegui marcar",
        "Nem cancelei nem alterei a reserva.",
        "A consulta segue como estava.",
        "Sua conta não foi bloqueada.",
        "Não tenho permissão para cancelar.",
        "O servidor não reiniciou.",
        "ñ rolou cancelar",
        "O item trocado não pode ser devolvido de novo.",
    ],
    "promises": [
        "Vou cancelar o pedido agora.",
        "Já vou te enviar o boleto.",
        "Enviarei o contrato ainda hoje.",
        "Vamos estornar o valor.",
        "Estou cancelando sua assinatura.",
        "A gente vai abrir um chamado.",
        "Vou estar encaminhando sua solicitação.",
        "Fá-lo-ei ainda hoje: cancelarei o pedido.",
        "Agora mesmo eu remarco a consulta.",
        "Já te mando o código.",
        "Irei bloquear o cartão imediatamente.",
        "Tô enviando o link agora.",
        "Bloquearemos o cartão.",
    ],
    "asks": [
        "Posso cancelar o pedido?",
        "Quer que eu remarque?",
        "Deseja que eu envie a segunda via?",
        "Prefere que eu troque o item?",
        "Confirma o cancelamento?",
        "Se quiser, eu cancelo.",
        "Assim que você pagar, eu libero o acesso.",
        "Caso prefira, posso remarcar.",
        "É só me avisar que eu cancelo.",
        "Quando me passar o CPF, faço o cadastro.",
        "Me confirma o endereço que eu mando.",
        "Posso já deixar agendado?",
        "Quer que eu já faça o estorno?",
        "Gostaria de cancelar o pedido?",
        "Devo cancelar a reserva?",
        "Você gostaria que eu cancelasse?",
        "Consigo remarcar para quinta.",
        "Dá pra trocar por outro horário, quer?",
    ],
    "says_unknown": [
        "Não sei se o pagamento foi feito.",
        "Ainda não tenho confirmação de que o pix foi enviado.",
        "Pode ser que o cancelamento já tenha sido feito.",
        "O pagamento pode ter sido duplicado.",
        "Não consigo confirmar se a mensagem foi entregue.",
        "Talvez o estorno já tenha sido processado.",
        "Ainda estou verificando se a reserva foi confirmada.",
        "Enviei o pedido, mas não tive retorno, então não sei se entrou.",
        "Não ficou claro se o pedido foi cancelado.",
    ],
    "mentions": [
        "O reembolso será feito em até 7 dias.",
        "Pedidos cancelados não são entregues.",
        "Você pode cancelar pelo aplicativo.",
        "O cancelamento é gratuito até 24 horas antes.",
        "Para cancelar, acesse o app.",
        "Consta aqui que o pedido foi cancelado pela loja.",
        "Você cancelou o pedido ontem.",
        "O cliente disse que cancelou.",
        "A fatura fechada em maio vence dia dez.",
        "Taxas cobradas indevidamente são devolvidas.",
        "Antes de cancelar, leia as regras.",
        "Se o pagamento for aprovado, o pedido segue para entrega.",
        "Enviamos nota fiscal em todas as compras.",
        "Cancele pelo site quando quiser.",
        "O pedido vai ser entregue amanhã.",
        "Normalmente o estorno cai em 5 dias.",
        "O valor estornado aparece na próxima fatura.",
        "Caso o pedido tenha sido cancelado, desconsidere.",
        "A senhora já pagou a fatura.",
        "Quem cancelou foi o vendedor.",
        "Quando a reserva é cancelada, a taxa é cobrada.",
        "Obrigado por enviar o comprovante.",
        "Não vou cancelar sem a sua autorização.",
        "Trabalhamos com entrega expressa.",
        "Fatura paga com atraso gera multa.",
        "Guarde o comprovante enviado por e-mail.",
        "O prazo para cancelar termina hoje.",
        "Seria preciso cancelar e comprar de novo.",
    ],
}
SENTENCES = [(text, claim) for claim, texts in SAYS.items() for text in texts]


def claim_of(text: str) -> str:
    """The strongest claim of a sentence, nouns that only mention left aside."""
    grammar = load("pt-BR")
    tokens = tokenize(text, "pt-BR")
    readings = read_sentence(tokens, 0, len(tokens.key), grammar).readings
    told = [r.claim for r in readings if "NOUN" not in r.forms or r.claim != "mentions"]
    return max(told, key=lambda claim: CLAIM_RANK[claim], default="mentions")


def without_accents(text: str) -> str:
    """As people type on a telephone."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c)).lower()


@pytest.mark.parametrize(("text", "claim"), SENTENCES, ids=[text for text, _ in SENTENCES])
def test_claim(text: str, claim: str) -> None:
    assert claim_of(text) == claim


@pytest.mark.parametrize(("text", "claim"), SENTENCES, ids=[text for text, _ in SENTENCES])
def test_claim_without_accents(text: str, claim: str) -> None:
    assert claim_of(without_accents(text)) == claim


@pytest.mark.parametrize("name", ["cancel_order", "cancelar_pedido"])
@pytest.mark.parametrize(
    "text", ["Cancelei o pedido 4411.", "O pedido 4411 foi cancelado.", "Pedido 4411 cancelado!", "Pronto!"]
)
def test_tools_of_either_language_are_found(name: str, text: str) -> None:
    ledger = Ledger(tools=[Tool(name, write=True)])
    ledger.record(name, {"order_id": "4411"}, outcome=Outcome.FAILED, reason="fora do prazo")
    assert verify(text, ledger, language="pt-BR").text.startswith("Não foi feito: ")


@pytest.mark.parametrize("text", ["O envio sai amanhã.", "A conta continua bloqueada.", "Quase cancelei o pedido."])
def test_in_doubt_nothing_changes(text: str) -> None:
    ledger = Ledger(tools=[Tool("cancelar_pedido", write=True), Tool("desbloquear_conta", write=True)])
    ledger.record("desbloquear_conta", {"conta": "77"}, outcome=Outcome.FAILED)
    assert verify(text, ledger, language="pt-BR", omitted="made").text.startswith(text)
