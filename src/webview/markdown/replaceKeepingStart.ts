/**
 * Puts the nodes of `fresh` below `element`, and keeps what is equal at their start, at each level along the last kept
 * branch. A list that grows at its end keeps its items: the browser lays out the new ones only, and what the person has
 * selected stays selected.
 */
export function replaceKeepingStart(element: Node, fresh: Node): void {
  let old = element.firstChild;
  let next = fresh.firstChild;
  while (old !== null && next !== null && old.isEqualNode(next)) {
    old = old.nextSibling;
    next = next.nextSibling;
  }
  if (old !== null && next !== null && grows(old, next)) {
    old = old.nextSibling;
    next = next.nextSibling;
  }
  while (old !== null) {
    const following: ChildNode | null = old.nextSibling;
    old.remove();
    old = following;
  }
  while (next !== null) {
    const following: ChildNode | null = next.nextSibling;
    element.appendChild(next);
    next = following;
  }
}

/** Changes a node into one of the same kind. `false`: it is of another kind, and stays as it is. */
function grows(old: ChildNode, fresh: ChildNode): boolean {
  if (old instanceof Text && fresh instanceof Text) {
    if (fresh.data.startsWith(old.data)) old.appendData(fresh.data.slice(old.data.length));
    else old.data = fresh.data;
    return true;
  }
  if (!(old instanceof Element) || !old.cloneNode(false).isEqualNode(fresh.cloneNode(false))) return false;
  replaceKeepingStart(old, fresh);
  return true;
}
