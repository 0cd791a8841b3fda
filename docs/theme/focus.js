// A table that is wider than its page scrolls; who has no mouse reaches it with Tab. The theme wraps tables once the page is there.
const reach = () => {
  for (const wrap of document.querySelectorAll(".md-typeset__scrollwrap")) {
    if (wrap.scrollWidth > wrap.clientWidth) {
      wrap.tabIndex = 0;
      wrap.setAttribute("role", "group");
      wrap.setAttribute("aria-label", "wide table");
    } else {
      wrap.removeAttribute("tabindex");
    }
  }
};
new ResizeObserver(reach).observe(document.body);
new MutationObserver(reach).observe(document.body, { childList: true, subtree: true });
