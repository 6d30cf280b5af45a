/**
 * Whether what stands under a name that ends with `key` is a secret: one judgement for members of a value, for JSON as text and for
 * sentences. What is made of words, numbers and places is none under any such name; what looks random is one, unless
 * ids that look so are usual there.
 */
import { isIdentifier, looksRandom } from './looks.ts';
import type { KeyHolds } from './rules/key-names.ts';
import { ALNUM, DIGIT, hasAny, hasOnly } from './signs.ts';

/** Ids that are known by their form: UUID, ULID, of MongoDB, cuid, of an account on a chain of blocks. */
const ID =
  /^(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|[0-7][\dA-HJKMNP-TV-Z]{25}|[\da-f]{24}|c[a-z\d]{24}|0x[\da-f]{40})$/i;
/** An id behind the kind of thing that it is of: `ch_3Mml…`. */
const KIND_AND_ID =
  /^(?!(?:sk|rk|pk|ak|key|api|tok|token|sec|secret|pat|live|prod|auth|pass)[_-])[a-z]{1,12}_[A-Za-z\d]{8,27}$/;
/** A digest, or a key in hexadecimal: shorter ones are ids. */
const HEX = /^[\da-f]{28,}$/i;
/** JSON in base64, as cursors are. */
const JSON_IN_BASE64 = /^eyJ[A-Za-z\d+/_-]+={0,2}$/;
/** Base64 with a sign that no id has. */
const BASE64 = /^(?=.*[+/=])[A-Za-z\d+/]{20,}={0,2}$/;

/** A key that is read in groups, as those of products are: `K7M2P-…`. */
const GROUPS = /^[A-Z\d]{4,6}(?:-[A-Z\d]{4,6}){3,}$/;
const MIXED = /\d[A-Z]|[A-Z]\d/;

/** So long random words are keys, where ids are usual, and where nothing else is. */
const SHORTEST = { ids: 40, either: 24 } as const;
const SHORTEST_CREDENTIAL = 12;
const SHORTEST_LONG = 20;

/** Decides it. `value` is no sentence and no address. */
export function isSecretKey(value: string, holds: KeyHolds): boolean {
  const mayBeId = holds === 'ids' || holds === 'either';
  if (GROUPS.test(value) && MIXED.test(value)) {
    return true;
  }
  if (isStructured(value, mayBeId)) {
    return false;
  }
  if (!mayBeId) {
    return (holds === 'credentials' || !ID.test(value)) && isOdd(value);
  }
  if (ID.test(value) || KIND_AND_ID.test(value) || JSON_IN_BASE64.test(value)) {
    return false;
  }
  if (HEX.test(value)) {
    return holds === 'either' && /\d/.test(value);
  }
  return (value.length >= SHORTEST[holds] || BASE64.test(value)) && isOdd(value);
}

function isOdd(value: string): boolean {
  return (
    looksRandom(value, SHORTEST_CREDENTIAL) ||
    (value.length >= SHORTEST_LONG && hasAny(value, DIGIT) && hasOnly(value, ALNUM))
  );
}

const SEPARATORS = /[\s/:._\-#|=+@\\,;()&?~<>{}[\]"'*!$%^]+/;
/** Signs that part places, and not only words. */
const PLACES = /[/:.#|\\+\s]/;
/** How files are named that are kept under a key. */
const FILES: ReadonlySet<string> = new Set(
  'avif avro bak bin bmp bz2 c cfg conf cpp cs css csv dat db doc docx eml env epub exe gif go gz heic htm html ico ics ini ipynb iso java jpeg jpg js jsx json jsonl kt lock log lua md mdx mjs mov mp3 mp4 mpeg mpg ndjson odt ogg onnx orc parquet pdf php pkl png ppt pptx ps1 pt py rar rb rs rtf scss sh sql sqlite svg swift tar tex tgz tif tiff toml ts tsx txt vtt wasm wav webm webp xls xlsx xml yaml yml zip zst 7z'.split(
    ' ',
  ),
);
/** A word that can be read, in any case, or several in one: `formatOnSave`. */
const WORD =
  /^(?:[A-Z]?[a-z]+|[A-Z]{1,12}|[a-z]{2,}(?:[A-Z][a-z]+)+|(?:[A-Z][a-z]{1,})+|[A-Z]{2,5}[a-z]{3,})$/;
/** Numbers, dates, versions, a number behind a word or before a unit, and whatever is too short to be more. */
const COUNTED = /^(?:\d{1,17}|[A-Za-z]{1,12}\d{1,8}|\d{1,8}[A-Za-z]{1,3}|\d{1,8}T\d{0,9}Z?|\w{1,5})$/;
/** Letters and digits of one case. */
const ONE_CASE = /^(?:[a-z\d]+|[A-Z\d]+)$/;
const LONGEST_ODD_NAME = 10;
const LONGEST_ODD_PLACE = 20;

/** Made of words, numbers, dates and ids that signs part, or the name of a file. Base64 has such signs, but no words between them. */
function isStructured(value: string, mayBeId: boolean): boolean {
  if (isIdentifier(value) && (mayBeId || !ID.test(value))) {
    return true;
  }
  const parts = value.split(SEPARATORS).filter((part) => part !== '');
  const odd = parts.filter((part) => !(WORD.test(part) || COUNTED.test(part)));
  if (odd.length === 0) {
    return parts.length > 1 || value.length < SHORTEST_CREDENTIAL || WORD.test(value);
  }
  const hasWord = parts.some((part) => part.length >= 3 && WORD.test(part));
  if (hasWord && isFile(value)) {
    return true;
  }
  const isPlace = PLACES.test(value);
  const longest = !isPlace ? LONGEST_ODD_NAME : mayBeId ? value.length : LONGEST_ODD_PLACE;
  return hasWord && odd.every((part) => part.length <= longest && ONE_CASE.test(part));
}

function isFile(value: string): boolean {
  const dot = value.lastIndexOf('.');
  return dot > 0 && FILES.has(value.slice(dot + 1).toLowerCase());
}
