/** Where in the console one is: the part of the address behind `#`. It names pages and ids, never a secret. */
import { type ReadonlySignal, signal } from '@preact/signals';

/** A page, and what of it. */
export interface Place {
  readonly page: string;
  readonly what: string | undefined;
}

/** Reads the part behind `#`. */
export function placeOf(hash: string): Place {
  const [page = '', ...rest] = hash.replace(/^#?\/?/, '').split('/');
  const what = rest.join('/');
  return { page: page === '' ? 'faults' : page, what: what === '' ? undefined : decoded(what) };
}

/** The address of a place. */
export function linkTo(page: string, what?: string): string {
  return what === undefined ? `#/${page}` : `#/${page}/${encodeURIComponent(what)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const here = signal(placeOf(globalThis.location?.hash ?? ''));
globalThis.addEventListener?.('hashchange', () => {
  here.value = placeOf(location.hash);
});

/** Where one is. */
export const place: ReadonlySignal<Place> = here;
