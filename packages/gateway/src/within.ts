/** Waiting no longer than one wants to. */

/** What a promise gives in time; `undefined` when it takes longer. The promise itself goes on. */
export function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => resolve(undefined), ms);
    promise.then(
      (value) => {
        clearTimeout(late);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(late);
        reject(error);
      },
    );
  });
}
