"""Every operation of the interface, with requests: python3 walk_with_requests.py BASE_URL TOKEN PAGE_URL"""

import os
import sys
import tempfile
import time

import requests
from records import Chatbot, DataSource, FetchedSession, Message, Session


class ChatbotApi:
    def __init__(self, base_url, token):
        self.base_url = base_url
        self.auth = {"Authorization": f"Bearer {token}"}
        # Many scripts send this header with every request, with or without a body.
        self.headers = {**self.auth, "Content-Type": "application/json"}

    def call(self, method, path, **options):
        options.setdefault("headers", self.headers)
        response = requests.request(method, self.base_url + path, timeout=30, **options)
        response.raise_for_status()
        return response

    def create_chatbot(self, **fields):
        return Chatbot(**self.call("POST", "/api/v1/chatbot/create", json=fields).json())

    def update_chatbot(self, uuid, **fields):
        return Chatbot(**self.call("POST", f"/api/v1/chatbot/{uuid}/update", json=fields).json())

    def get_chatbot(self, uuid):
        return Chatbot(**self.call("GET", f"/api/v1/chatbot/{uuid}").json())

    def get_chatbots(self):
        return [Chatbot(**record) for record in self.call("GET", "/api/v1/chatbots").json()]

    def delete_chatbot(self, uuid):
        return self.call("DELETE", f"/api/v1/chatbot/{uuid}/delete").json()["success"]

    def add_url(self, chatbot, url):
        path = f"/api/v1/chatbot/{chatbot}/data-source/url"
        return DataSource(**self.call("POST", path, json={"url": url}).json())

    def add_pair(self, chatbot, question, answer):
        path = f"/api/v1/chatbot/{chatbot}/data-source/qa"
        pair = {"question": question, "answer": answer}
        return DataSource(**self.call("POST", path, json=pair).json())

    def upload(self, chatbot, file_path):
        with open(file_path, "rb") as file:
            response = self.call(
                "POST",
                f"/api/v1/chatbot/{chatbot}/data-source/upload",
                headers=self.auth,
                files={"file": (file_path, file)},
                data={"reference_source_link": None},
            )
        return DataSource(**response.json())

    def rename_source(self, uuid, title):
        path = f"/api/v1/data-source/{uuid}/update"
        return DataSource(**self.call("POST", path, json={"title": title}).json())

    def get_sources(self, chatbot):
        records = self.call("GET", f"/api/v1/chatbot/{chatbot}/data-sources").json()
        return [DataSource(**record) for record in records]

    def delete_source(self, uuid):
        return self.call("POST", f"/api/v1/data-source/{uuid}/delete").json()["success"]

    def delete_sources(self, uuids):
        body = {"uuids": uuids}
        return self.call("POST", "/api/v1/data-sources/delete", json=body).json()["success"]

    def create_session(self, chatbot):
        return Session(**self.call("POST", f"/api/v1/chatbot/{chatbot}/session/create").json())

    def get_session(self, uuid):
        return FetchedSession(**self.call("GET", f"/api/v1/session/{uuid}").json())

    def get_messages(self, session):
        records = self.call("GET", f"/api/v1/session/{session}/messages").json()
        return [Message(**record) for record in records]

    def ask(self, session, query):
        path = f"/api/v1/session/{session}/message/stream"
        return self.call("POST", path, json={"query": query}, stream=True)

    def delete_messages(self, uuids):
        body = {"uuids": uuids}
        return self.call("POST", "/api/v1/messages/delete", json=body).json()["success"]

    def wait_for_sources(self, chatbot):
        for _ in range(300):
            sources = self.get_sources(chatbot)
            if all(source.status == "success" for source in sources):
                return sources
            assert not any(source.status.startswith(("fail", "error")) for source in sources), sources
            time.sleep(0.1)
        raise TimeoutError("the sources were not taken in")


def main(base_url, token, page_url):
    api = ChatbotApi(base_url, token)

    chatbot = api.create_chatbot(name="Führung", model="gpt-4o-8k", temperature=0.5)
    assert chatbot.settings.model == "gpt-4o-8k" and chatbot.settings.temperature == 0.5
    chatbot = api.update_chatbot(chatbot.uuid, show_citations=True, rate_limit=[3, 600])
    assert chatbot.name == "Führung" and chatbot.settings.show_citations
    assert api.get_chatbot(chatbot.uuid) == chatbot
    assert chatbot in api.get_chatbots()

    page = api.add_url(chatbot.uuid, page_url)
    pair = api.add_pair(chatbot.uuid, "Wann ist geöffnet?", "Täglich von 9 bis 17 Uhr.")
    with tempfile.TemporaryDirectory() as folder:
        file_path = os.path.join(folder, "Öffnungszeiten 2026.txt")
        with open(file_path, "w", encoding="utf-8") as file:
            file.write("Im Winter ist das Museum bis 16 Uhr geöffnet.")
        upload = api.upload(chatbot.uuid, file_path)
    assert [page.type, pair.type, upload.type] == ["link", "qa", "upload"]
    assert [page.status, pair.status, upload.status] == ["await"] * 3
    assert upload.file_name == "Öffnungszeiten 2026.txt", upload.file_name

    page, pair, upload = api.wait_for_sources(chatbot.uuid)
    assert page.title == "Hausordnung" and page.tokens > 0
    assert pair.meta == {"question": "Wann ist geöffnet?", "answer": "Täglich von 9 bis 17 Uhr."}
    assert api.rename_source(pair.uuid, "Zeiten").title == "Zeiten"

    session = api.create_session(chatbot.uuid)
    assert api.get_session(session.uuid).created_at == session.created_at

    lines = list(api.ask(session.uuid, "Wann ist das Museum geöffnet?").iter_lines(decode_unicode=True))
    response = api.ask(session.uuid, "Wann ist im Winter geöffnet?")
    text = "".join(response.iter_content(chunk_size=None, decode_unicode=True))
    raw = b"".join(api.ask(session.uuid, "Und das Museum?").iter_content(chunk_size=16))

    messages = api.get_messages(session.uuid)
    assert [message.finish_reason for message in messages] == ["stop"] * 3
    assert "\n".join(lines) == messages[0].response and len(lines) == 3, lines
    assert text == messages[1].response
    assert raw.decode() == messages[2].response
    assert response.headers["X-Message-Uuid"] == messages[1].uuid
    citation = messages[0].citations["1.1"]
    assert citation.data_source_uuid in [page.uuid, pair.uuid, upload.uuid]

    try:
        api.ask(session.uuid, "Noch eine?")
    except requests.HTTPError as error:
        assert error.response.status_code == 429
        assert error.response.json()["error"] == chatbot.settings.rate_limit_message
        assert int(error.response.headers["Retry-After"]) > 0
    else:
        raise AssertionError("the rate limit was not kept")

    assert api.delete_messages([message.uuid for message in messages[1:]])
    assert [message.uuid for message in api.get_messages(session.uuid)] == [messages[0].uuid]
    assert api.delete_source(page.uuid)
    assert api.delete_sources([pair.uuid, upload.uuid])
    assert api.get_sources(chatbot.uuid) == []
    assert api.delete_chatbot(chatbot.uuid)
    assert requests.get(f"{base_url}/api/v1/session/{session.uuid}", headers=api.auth).status_code == 404


main(*sys.argv[1:])
