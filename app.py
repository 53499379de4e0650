"""The front door: `python app.py` opens the chat page, `python app.py ask "…"` answers in the terminal.

`python app.py mcp` offers what can be computed to assistants, over standard input and output.
`python app.py doctor FILE` says which convention dumped training tensors follow, or where they depart from it.
Where Telescope is installed, `telescope` takes the same words.
"""

import json
import os
import sys
from collections.abc import AsyncIterator, Mapping
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from lessons import LANGUAGES
from prompts.pictures.place import place
from prompts.tell.words import word, words

if TYPE_CHECKING:  # whatever is heavy is loaded by whom it concerns
    from prompts.staff.reception import Reception

NAMES = {"zh": "中文", "en": "English"}  # each language in its own words
ROOMS = ("chat", "bench")  # on a phone one of them is seen at a time
WAITING = 512  # events in Gradio's queue; whoever is too many is told so before
SESSIONS = 500  # whose state the server keeps
HOUR = 3600  # seconds

_TELLING = {"concurrency_limit": None, "concurrency_id": "tell", "preprocess": False, "api_visibility": "private"}
_QUICK = {"queue": False, "show_progress": "hidden", "preprocess": False, "api_visibility": "private"}
_READING = {**_TELLING, "concurrency_limit": 1, "concurrency_id": "picture", "show_progress": "hidden"}
_HERE = {"api_visibility": "private"}  # done in the browser
_SWITCH = {"show_label": False, "container": False}
_HIDDEN = {"visible": "hidden", "container": False, "show_label": False}
CHAT = {
    "elem_id": "chat",
    "scale": 1,
    "show_label": False,
    "autoscroll": False,
    "buttons": ["copy"],
    "editable": "user",
    "height": None,
    "line_breaks": False,
    "allow_tags": False,
    "latex_delimiters": [
        {"left": "$$", "right": "$$", "display": True},
        {"left": r"\(", "right": r"\)", "display": False},
    ],
}
_BOX = {
    "elem_id": "box",
    "show_label": False,
    "container": False,
    "max_lines": 8,
    "autofocus": True,
    "submit_btn": True,
}
_TAKEN = ("dialogue", "notebook", "scenario")  # files that are taken away


def main(arguments: list[str]) -> int:
    if arguments == ["mcp"]:
        from prompts.functions.stdio import main as over_stdio

        return over_stdio()
    if arguments[:1] == ["doctor"]:
        from prompts.doctor import main as doctor

        return doctor(arguments[1:])
    if arguments[:1] == ["ask"]:
        from prompts.ask import main as ask

        return ask(arguments[1:])
    if arguments not in ([], ["page"]):
        sys.stderr.write(f"{__doc__}\n")
        return 2
    return opened()


def opened() -> int:
    """The page, until it is closed. Those who answer load beside it."""
    from prompts.staff import Staff

    staff = Staff()
    staff.start()
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    from prompts.functions.served import around
    from prompts.staff.reception import Reception

    reception = Reception(staff)
    demo = page(reception)
    demo.queue(max_size=WAITING).launch(app_kwargs=around(demo, reception), **launching())
    return 0


# ------------------------------------------------------------ the page


def texts(language: str, found: Mapping[str, Any] = MappingProxyType({})) -> dict[str, dict[str, Any]]:
    """The interface's own words, by component and property; and what only the tutor can say, once it has."""

    def say(key: str) -> str:
        return word(language, "page", key)

    who = found.get("listens", "")
    spoken = escape(json.dumps({**words(language)["page"], "language": language}, ensure_ascii=False))
    return {
        "title": {"value": f"# Telescope\n\n{say('tagline')}"},
        "new": {"value": say("new")},
        "words": {"value": f'<h2 class="unseen" data-words="{spoken}">{say("conversation")}</h2>'},
        "room": {"choices": [(say(f"room_{room}"), room) for room in ROOMS]},
        "chat": {
            "label": say("conversation"),
            "placeholder": f"## {say('welcome')}\n\n{say('welcome_more')}",
            "examples": found.get("starts", []),
        },
        "box": {"label": say("message"), "placeholder": say("placeholder")},
        "picture": {"value": place(language)},
        "keep": {"label": say("keep")},
        **{kind: {"value": say(kind)} for kind in _TAKEN},
        "link": {"value": say("link")},
        "address": {"label": say("link_more")},
        "programs": {"label": say("programs")},
        "listens": {"label": say("listens").format(model=who), "visible": bool(who)},
    }


def page(reception: "Reception") -> Any:
    """The chat page. Gradio is imported here, so that the terminal never waits for it."""
    import gradio as gr

    from prompts.bench import build
    from prompts.dressed import opened_in
    from prompts.functions.copied import ADDRESS, lines
    from prompts.functions.served import serve

    words = texts(LANGUAGES[0])
    with gr.Blocks(title="Telescope", fill_height=True, analytics_enabled=False, delete_cache=(HOUR, HOUR)) as demo:
        with gr.Row(elem_id="head"):
            title = gr.Markdown(**words["title"], elem_id="title")
            room = gr.Radio(**words["room"], value=ROOMS[0], **_SWITCH, elem_id="room")
            choices = [(NAMES[known], known) for known in LANGUAGES]
            label = " / ".join(word(known, "page", "language") for known in LANGUAGES)
            language = gr.Radio(choices, label=label, **_SWITCH, elem_id="language")
            new = gr.Button(**words["new"], size="sm", elem_id="new")
        spoken = gr.HTML(**words["words"], elem_id="words")
        scenario = gr.Textbox("", elem_id="scenario", **_HIDDEN)
        asking = gr.Textbox("", elem_id="asking", **_HIDDEN)
        taken = gr.Textbox("", elem_id="taken", **_HIDDEN)
        minutes = gr.Number(0, elem_id="minutes", **_HIDDEN)
        restore = gr.Button("", visible="hidden", elem_id="restore")
        seen = gr.Textbox("", elem_id="seen", **_HIDDEN)
        send = gr.Button("", visible="hidden", elem_id="send_picture")
        with gr.Row(elem_id="rooms"):
            with gr.Column(elem_id="talk", scale=3, min_width=0):
                log = gr.Chatbot(**words["chat"], **CHAT)
                box = gr.Textbox(**words["box"], **_BOX)
                picture = gr.HTML(**words["picture"], elem_id="picture")
                listens = gr.Checkbox(True, **words["listens"], container=False, elem_id="listens")
                with gr.Accordion(**words["keep"], open=False, elem_id="keep") as keep:
                    with gr.Row(elem_id="take"):
                        files = {kind: gr.Button(**words[kind], size="sm") for kind in _TAKEN}
                        link = gr.Button(**words["link"], size="sm", elem_id="link")
                    address = gr.Textbox("", **words["address"], buttons=["copy"], visible=False, elem_id="address")
                    gr.HTML('<div id="conversations"></div>', elem_id="kept")
                    programs = gr.Code(
                        lines(), **words["programs"], language="python", interactive=False, elem_id="programs"
                    )
            with gr.Column(elem_id="bench", scale=2, min_width=0):
                bench = build(scenario, asking, language, reception)

        on_message, on_again, on_chip, on_edited = (
            reception.telling(f"prompts.box:on_{happened}") for happened in ("message", "again", "chip", "edited")
        )
        on_address = reception.telling("prompts.visit:on_address")

        async def chosen(
            past: Any, numbers: Any, listens: Any, minutes: Any, event: gr.SelectData
        ) -> AsyncIterator[Any]:
            question = event.value["text"] if isinstance(event.value, dict) else event.value
            async for shown in on_chip(question, past, numbers, listens, minutes):
                yield shown

        async def edited(past: Any, numbers: Any, listens: Any, minutes: Any, event: gr.EditData) -> AsyncIterator[Any]:
            async for shown in on_edited(event.index, event.value, past, numbers, listens, minutes):
                yield shown

        async def opened(
            past: Any, numbers: Any, listens: Any, minutes: Any, request: gr.Request
        ) -> AsyncIterator[Any]:
            async for shown in on_address(dict(request.query_params), past, numbers, listens, minutes):
                yield shown

        begun = reception.doing("prompts.visit:begun")

        async def relabelled(chosen: Any) -> Any:
            known = opened_in({}, chosen, None)
            told = texts(known, await begun(known))
            return [gr.update(**properties) for properties in [*told.values(), *bench.texts(known)]]

        async def on_load(chosen: Any, request: gr.Request) -> Any:
            known = opened_in(request.query_params, chosen, request.headers.get("accept-language"))
            return [known, *await relabelled(known)]

        labelled = [title, new, spoken, room, log, box, picture, keep, *files.values(), link, address, programs]
        labelled += [listens, *bench.labelled]
        beside = [log, scenario, listens, minutes]
        shown = [log, box, scenario, taken]
        running = [
            log.option_select(chosen, beside, shown, **_TELLING),
            log.example_select(chosen, beside, shown, **_TELLING),
            log.edit(edited, beside, shown, **_TELLING),
            log.retry(on_again, beside, shown, **_TELLING),
            demo.load(opened, beside, shown, show_progress="hidden", **_TELLING),
        ]
        sent = box.submit(on_message, [box, *beside], shown, **_TELLING)
        again = [edit.then(on_again, beside, shown, show_progress="hidden", **_TELLING) for edit in bench.edited]
        again += [ask.then(on_message, [asking, *beside], shown, **_TELLING) for ask in bench.asked]
        gr.on([log.undo, new.click, box.stop, restore.click], None, cancels=[*running, sent, *again])
        on_picture = reception.doing("prompts.pictures.sent:on_picture")
        sent_picture = "(_, language) => [window.telescope.picture(), language]"
        read = send.click(on_picture, [seen, language], seen, js=sent_picture, **_READING)
        read.then(None, seen, seen, js="found => window.telescope.seen(found)", **_HERE)
        box.stop(reception.doing("prompts.box:on_stop", outputs=2), log, [log, box], **_QUICK)
        log.undo(reception.doing("prompts.box:on_undo", outputs=2), log, [log, box], **_QUICK)
        new.click(None, None, None, js="() => window.telescope.begin()", **_HERE)
        begin = reception.doing("prompts.box:on_new", outputs=3)
        new.click(begin, None, [log, box, scenario], **_QUICK)
        restore.click(None, None, [log, scenario], js="() => window.telescope.restored()", **_HERE)
        gr.on(
            [log.change, scenario.change],
            None,
            [log, scenario],
            None,
            js="(...now) => window.telescope.keep(...now)",
            **_HERE,
        )
        taken.change(None, taken, None, js="file => window.telescope.save(file)", **_HERE)
        for kind, button in files.items():
            take = reception.doing("prompts.taken.files:on_take", kind)
            button.click(take, [log, scenario, language, minutes], taken, **_QUICK)
        to_share = reception.doing("prompts.visit:to_share")
        made = link.click(to_share, [log, scenario, language], address, **_QUICK)
        made.then(None, address, address, js="found => window.telescope.whole(found)", **_HERE)
        room.change(None, room, None, js="room => { document.querySelector('#rooms').dataset.room = room; }", **_HERE)
        language.input(relabelled, language, labelled, trigger_mode="always_last", **_QUICK)
        reword = reception.doing("prompts.chat:reword")
        language.input(reword, [log, scenario, language], log, trigger_mode="always_last", **_QUICK)
        language.input(None, language, None, js="language => window.telescope.choose(language)", **_HERE)
        language.change(None, language, None, js="language => window.telescope.speak(language)", **_HERE)
        at_first = "() => [window.telescope.language()]"
        demo.load(on_load, language, [language, *labelled], js=at_first, **_QUICK)
        demo.load(None, None, [minutes, log, scenario], js="() => window.telescope.opened()", **_HERE)
        here = f"text => text.replaceAll('{ADDRESS}', location.origin + location.pathname)"
        demo.load(None, programs, programs, js=here, **_HERE)
        serve(gr.api, reception)
    return demo


def launching() -> dict[str, Any]:
    """What Gradio is told at launch: nothing is kept, nothing is watched, nothing is shared."""
    from prompts.tell.look import ICON, sources, theme

    return {
        "theme": theme(),
        "favicon_path": str(ICON),
        "css": sources("css"),
        "js": f"() => {{ for (const start of [{sources('js')}]) start(); }}",
        "footer_links": [],
        "share": False,
        "show_error": False,
        "run_history": False,
        "enable_monitoring": False,
        "ssr_mode": False,
        "mcp_server": True,
        "pwa": False,
        "max_file_size": 1,
        "state_session_capacity": SESSIONS,
    }


def command() -> int:
    """`telescope …`, the same words as `python app.py …`."""
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except KeyboardInterrupt:  # a run that takes too long
        return 130
    except BrokenPipeError:  # who reads has read enough: ask … | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return code


if __name__ == "__main__":
    sys.exit(command())
