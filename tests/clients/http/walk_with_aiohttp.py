"""Every operation of the interface, with aiohttp: python3 walk_with_aiohttp.py BASE_URL TOKEN PAGE_URL"""

import asyncio
import io
import sys

import aiohttp
from records import Chatbot, DataSource, FetchedSession, Message, Session


async def post(http, path, body=None):
    async with http.post(path, json=body) as response:
        response.raise_for_status()
        return await response.json()


async def get(http, path):
    async with http.get(path) as response:
        response.raise_for_status()
        return await response.json()


async def upload(http, chatbot, name, content):
    form = aiohttp.FormData()
    form.add_field("file", io.BytesIO(content), filename=name)
    async with http.post(f"/api/v1/chatbot/{chatbot}/data-source/upload", data=form) as response:
        response.raise_for_status()
        return DataSource(**await response.json())


async def get_sources(http, chatbot):
    return [DataSource(**one) for one in await get(http, f"/api/v1/chatbot/{chatbot}/data-sources")]


async def get_messages(http, session):
    return [Message(**one) for one in await get(http, f"/api/v1/session/{session}/messages")]


async def wait_for_sources(http, chatbot):
    while True:
        sources = await get_sources(http, chatbot)
        if all(source.status == "success" for source in sources):
            return sources
        assert not any(source.status.startswith(("fail", "error")) for source in sources), sources
        await asyncio.sleep(0.1)


async def ask(http, session, query):
    """Shows each piece as it comes, decoded by itself, as chat windows do."""
    text = ""
    path = f"/api/v1/session/{session}/message/stream"
    async with http.post(path, json={"query": query}) as response:
        response.raise_for_status()
        async for piece in response.content.iter_any():
            text += piece.decode("utf-8")
    return text


async def ask_in_session_of_its_own(http, chatbot, query):
    session = Session(**await post(http, f"/api/v1/chatbot/{chatbot}/session/create"))
    text = await ask(http, session.uuid, query)
    return text, (await get_messages(http, session.uuid))[-1]


async def walk(http, page_url):
    settings = {"model": "gpt-4o", "show_citations": True, "rate_limit": [50, 60]}
    chatbot = Chatbot(**await post(http, "/api/v1/chatbot/create", {"name": "Bot", **settings}))
    path = f"/api/v1/chatbot/{chatbot.uuid}"
    updated = Chatbot(**await post(http, f"{path}/update", {"name": "Führung", "prompt": "Kurz."}))
    assert updated.settings.prompt == "Kurz." and updated.settings.model == "gpt-4o"
    assert Chatbot(**await get(http, path)) == updated
    assert updated in [Chatbot(**record) for record in await get(http, "/api/v1/chatbots")]

    pair = {"question": "Wann ist geöffnet?", "answer": "Täglich von 9 bis 17 Uhr."}
    _, _, file = await asyncio.gather(
        post(http, f"{path}/data-source/url", {"url": page_url}),
        post(http, f"{path}/data-source/qa", pair),
        upload(http, chatbot.uuid, "Größe & Zeiten.md", "Im Winter bis 16 Uhr.".encode()),
    )
    assert file.file_name == "Größe & Zeiten.md", file.file_name
    sources = await wait_for_sources(http, chatbot.uuid)
    assert sorted(source.type for source in sources) == ["link", "qa", "upload"]
    renamed = await post(http, f"/api/v1/data-source/{file.uuid}/update", {"title": "Zeiten"})
    assert DataSource(**renamed).title == "Zeiten"

    query = "Wann ist das Museum geöffnet?"
    answers = await asyncio.gather(
        *(ask_in_session_of_its_own(http, chatbot.uuid, query) for _ in range(8))
    )
    for text, message in answers:
        assert text == message.response and message.finish_reason == "stop", (text, message)
        assert message.citations["1.1"].data_source_uuid in [source.uuid for source in sources]

    session = Session(**await post(http, f"/api/v1/chatbot/{chatbot.uuid}/session/create"))
    assert FetchedSession(**await get(http, f"/api/v1/session/{session.uuid}")).meta == {}
    await ask(http, session.uuid, "Eins?")
    await ask(http, session.uuid, "Zwei?")
    first, second = await get_messages(http, session.uuid)
    assert [first.query, second.query] == ["Eins?", "Zwei?"]
    assert await post(http, "/api/v1/messages/delete", {"uuids": [first.uuid]}) == {"success": True}
    assert await get_messages(http, session.uuid) == [second]

    assert await post(http, f"/api/v1/data-source/{file.uuid}/delete") == {"success": True}
    others = [source.uuid for source in sources if source.uuid != file.uuid]
    assert await post(http, "/api/v1/data-sources/delete", {"uuids": others}) == {"success": True}
    assert await get_sources(http, chatbot.uuid) == []
    async with http.delete(f"{path}/delete") as response:
        assert (await response.json())["success"] is True


async def main(base_url, token, page_url):
    headers = {"Authorization": f"Bearer {token}"}
    timeout = aiohttp.ClientTimeout(total=60)
    async with aiohttp.ClientSession(base_url, headers=headers, timeout=timeout) as http:
        await walk(http, page_url)


asyncio.run(main(*sys.argv[1:]))
