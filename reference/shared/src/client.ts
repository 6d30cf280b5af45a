/** What the clients of the documents have in common: nothing of it serves, so they start without any of that. */
export { payloadOf, printable, sentenceOf, type ToolCall } from './call.ts';
export { pause, tooLong } from './patience.ts';
