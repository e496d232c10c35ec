/* A page on the disk may start no worker: there the search runs in a hidden frame instead. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      inside.importScripts = () => {};
      inside.postMessage = (data) => this.tell(this, data);
      const script = inside.document.createElement("script");
      script.src = url;
      script.onload = () => {
        this.inside = inside;
        for (const data of this.waiting) this.postMessage(data);
      };
      inside.document.body.append(script);
    }
    tell(target, data) {
      const Event = target.MessageEvent || MessageEvent;
      target.dispatchEvent(new Event("message", { data }));
    }
    postMessage(data) {
      if (this.inside) this.tell(this.inside, data);
      else this.waiting.push(data);
    }
    set onmessage(listener) {
      this.addEventListener("message", listener);
    }
    terminate() {}
  };
}

/* What the theme leaves without a name, a screen reader cannot tell apart. */
document.addEventListener("DOMContentLoaded", () => {
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
  const name = () => {
    document.querySelectorAll(".md-code__nav:not([aria-label])").forEach((bar) => {
      bar.setAttribute("aria-label", `Copy ${bar.closest("[id]")?.id ?? "code"}`);
    });
  };
  new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
  name();
});
