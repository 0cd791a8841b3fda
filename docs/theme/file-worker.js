// Search runs in a worker, which browsers refuse to start for a page that was opened from disk. There it runs in a hidden frame instead, behind
// the same interface; the theme knows such a worker by the name IFrameWorker.
if (location.protocol === "file:") {
  globalThis.IFrameWorker = class extends EventTarget {
    #waiting = [];
    #inside = null;

    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "search";
      frame.srcdoc = "<!doctype html><title>search</title>";
      frame.addEventListener("load", () => this.#start(frame.contentWindow, url), { once: true });
      document.body.append(frame);
    }

    #start(inside, url) {
      const load = (source) => new Promise((resolve, reject) => {
        const script = inside.document.createElement("script");
        script.src = source;
        script.onload = resolve;
        script.onerror = reject;
        inside.document.body.append(script);
      });
      // A worker's own way to load scripts waits; this one gives a promise, which the theme awaits.
      inside.importScripts = (...sources) => sources.reduce((before, source) => before.then(() => load(source)), Promise.resolve());
      inside.postMessage = (data) => this.#tell(this, data);
      load(url).then(() => {
        this.#inside = inside;
        for (const data of this.#waiting) this.postMessage(data);
      });
    }

    #tell(target, data) {
      const event = new MessageEvent("message", { data });
      target.dispatchEvent(event);
      target.onmessage?.(event);
    }

    postMessage(data) {
      if (this.#inside) this.#tell(this.#inside, data);
      else this.#waiting.push(data);
    }

    terminate() {}
  };
  globalThis.Worker = globalThis.IFrameWorker;
}
