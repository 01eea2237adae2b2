// The page's ear: server-sent events that come back by themselves, also after a device slept.
export function listen(url, handlers, onState) {
  let source = null;
  let retry = 0;
  let lastHeard = Date.now();

  function open() {
    source?.close();
    source = new EventSource(url);
    source.onopen = () => { lastHeard = Date.now(); onState(true); };
    source.onerror = () => {
      onState(false);
      // The browser retries by itself unless the server refused: then we do.
      if (source.readyState === EventSource.CLOSED) {
        clearTimeout(retry);
        retry = setTimeout(open, 2000);
      }
    };
    for (const [topic, handler] of Object.entries(handlers)) {
      source.addEventListener(topic, (event) => { lastHeard = Date.now(); handler(JSON.parse(event.data)); });
    }
    source.addEventListener("beat", () => { lastHeard = Date.now(); });
  }

  document.addEventListener("visibilitychange", () => {
    // A phone that slept may hold a connection that is dead without knowing it.
    if (!document.hidden && Date.now() - lastHeard > 15000) open();
  });
  window.addEventListener("online", open);
  window.addEventListener("pagehide", () => source?.close());
  window.addEventListener("pageshow", (event) => { if (event.persisted) open(); });
  open();
}
