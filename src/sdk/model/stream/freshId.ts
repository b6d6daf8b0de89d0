const maxAttempts = 8;

/** An id that is not in `used`, and adds it there. Ends whatever `newId` returns: an id that stays the same gets a number. */
export function takeFreshId(newId: () => string, used: Set<string>): string {
  let made = newId();
  for (let attempt = 1; attempt < maxAttempts && used.has(made); attempt += 1) made = newId();
  let id = made;
  for (let number = 2; used.has(id); number += 1) id = `${made}_${number}`;
  used.add(id);
  return id;
}
