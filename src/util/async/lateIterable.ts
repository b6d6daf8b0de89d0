/**
 * The values of a generator that `open` makes when the first one is asked for. Its reader gets them from that generator itself:
 * one that passed them on would cost each value three turns of the queue of promises.
 */
export function lateIterable<T>(open: () => Promise<AsyncGenerator<T, void, undefined>>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      let opened: AsyncGenerator<T, void, undefined> | undefined;
      let opening: Promise<AsyncGenerator<T, void, undefined>> | undefined;
      let isLeft = false;
      const openOnce = async (): Promise<AsyncGenerator<T, void, undefined>> => (opened = await open());
      return {
        next(): Promise<IteratorResult<T, void>> {
          if (opened) return opened.next();
          if (isLeft) return Promise.resolve({ done: true, value: undefined });
          opening ??= openOnce();
          return opening.then((generator) => generator.next());
        },
        async return(): Promise<IteratorResult<T, void>> {
          isLeft = true;
          await (await opening)?.return();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
