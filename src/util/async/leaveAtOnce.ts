/**
 * A generator that can be left while it waits for something. The `return` of a plain one waits for the `next` before
 * it, which may take minutes. If there is such a wait, `onLeave` is called first and must end it.
 */
export function leaveAtOnce<T, Result, Next = unknown>(
  generator: AsyncGenerator<T, Result, Next>,
  onLeave: () => void,
): AsyncGenerator<T, Result, Next> {
  let waiting = 0;
  const settle = (): void => void (waiting -= 1);
  const leave = (): void => {
    if (waiting > 0) onLeave();
  };
  const leavable: AsyncGenerator<T, Result, Next> = {
    next(...args) {
      waiting += 1;
      const next = generator.next(...args);
      next.then(settle, settle);
      return next;
    },
    return(value) {
      leave();
      return generator.return(value);
    },
    throw(error) {
      leave();
      return generator.throw(error);
    },
    [Symbol.asyncIterator]: () => leavable,
    async [Symbol.asyncDispose]() {
      leave();
      await generator.return(undefined as Result);
    },
  };
  return leavable;
}
