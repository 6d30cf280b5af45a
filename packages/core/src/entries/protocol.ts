/** What the protocol and we ourselves put on the wire beside a failure: names, and what a request may say in `_meta`. */
export { type Concern, concernOf, isOfNoRequest, toldIn } from '../about-another.ts';
export * from '../protocol.ts';
export { badMeta } from '../request-meta.ts';
export {
  dataBegun,
  EVENT_START,
  isCutOff,
  isOfStream,
  isTellingName,
  mayTellOfOthers,
  tellsBeside,
  tellsInLine,
} from '../wire/events.ts';
