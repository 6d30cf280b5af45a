/**
 * What is said in place of a list may tell of what its reader may not use. Its data is left out, and its words where they name
 * something of that; the code, the kind, the status and the headers stay.
 */
import { type Fault, type JsonObject, makeFault } from '@mayday/core';
import { after, type Failed } from '@mayday/policy';
import { decode, isMembers, type Members, type Said, type Wire, type WirePolicy } from '@mayday/relay';
import { beginsLikeOne, bytesOf, errorAlone, hasResult, withErrorAlone } from '../call/sound-list.ts';
import { agreedIn, inWordsOfProtocol, isAgreeing, withoutAgreed } from './agreed-in-lists.ts';
import { deniedWords, type MayName } from './denied-words.ts';
import { isInside, isNameOfList } from './names-of-lists.ts';
import type { Access } from './rules.ts';
import { isListing } from './trim-lists.ts';

/** Stands around what is asked of one upstream, where its own words come from. */
export function failingLists(access: Access, upstream: string): WirePolicy {
  return after((outcome, call) => {
    const { rules } = access;
    if (outcome.ok || rules === undefined || !isListing(call.method)) return outcome;
    return withoutItems(outcome, deniedWords({ rules, by: call.by, upstream }));
  });
}

/** What failed in place of a list, for whoever may not see all that is listed. What the two sides agree on a revision by has to arrive. */
export function withoutItems(failed: Failed<Wire>, mayNameAny: MayName): Failed<Wire> {
  const { value } = failed;
  const bytes = value === undefined || value.type === 'answer' ? undefined : bytesOf(value);
  if (value === undefined || value.type === 'answer' || bytes === undefined) return failed; // the gateway's own words
  const said = decode(bytes);
  const agreeing = isMembers(said) && isAgreeing(said['error']) ? said['error'] : undefined;
  const mayName = agreeing === undefined ? mayNameAny : inWordsOfProtocol(mayNameAny);
  const agreed = agreeing === undefined ? {} : agreedIn(agreeing, mayName);
  const isTelling = isMembers(said)
    ? mayTell(withoutAgreed(said, agreed), mayName)
    : said !== undefined || beginsLikeOne(bytes) || mayName(String(bytes));
  if (!isTelling) return failed;
  const message = errorAlone(bytes);
  const words = isMembers(message?.['error']) ? String(message['error']['message']) : String(bytes);
  const mayKeep = !mayName(words);
  const fault = cleanFault(failed.fault, value, mayKeep ? mayName : () => true, agreed as JsonObject);
  const left = withData(mayKeep ? message : withWords(message, fault.message), agreed);
  return { ...failed, fault, value: withErrorAlone(value, left) };
}

function withWords(message: Members | undefined, words: string): Members | undefined {
  return message && { ...message, error: { ...(message['error'] as Members), message: words } };
}

function withData(message: Members | undefined, data: Members): Members | undefined {
  if (message === undefined || Object.keys(data).length === 0) return message;
  return { ...message, error: { ...(message['error'] as Members), data } };
}

/** The fault without what its server said beside its words, and without those where they tell too much. */
function cleanFault(fault: Fault, value: Said, mayName: MayName, agreed: JsonObject): Fault {
  const { issues: _, details, native, subject, name, advice, ...rest } = fault;
  const isClean = (words: string | undefined): words is string => words !== undefined && !mayName(words);
  const { extra: __, raw: ___, message: said, ...spoken } = native ?? { dialect: '' };
  return {
    ...rest,
    message: isClean(fault.message) ? fault.message : ownWords(fault, value),
    issues: [],
    ...(details === undefined ? {} : { details: { ...ours(details), ...agreed } }),
    ...(native === undefined ? {} : { native: { ...spoken, ...(isClean(said) ? { message: said } : {}) } }),
    ...(subject === undefined ? {} : { subject: isClean(subject.id) ? subject : { type: subject.type } }),
    ...(isClean(name) ? { name } : {}),
    ...(isClean(advice) ? { advice } : {}),
  };
}

/** What a kind is called, with the status of HTTP. */
function ownWords({ kind }: Fault, value: Said): string {
  const { message } = makeFault({ kind });
  return value.type === 'http' ? `${message} (HTTP ${value.status})` : message;
}

/** How often it was sent, and why not again. */
function ours({ attempts, stopped }: JsonObject): JsonObject {
  return { ...(attempts === undefined ? {} : { attempts }), ...(stopped === undefined ? {} : { stopped }) };
}

/** Is there a list with something in it, a text in the data of its error, or anything else that tells too much? */
function mayTell({ jsonrpc: _, id: __, error, ...beside }: Members, mayName: MayName): boolean {
  if (hasResult(beside)) return true;
  const { code: ___, message, ...more } = isMembers(error) ? error : { message: error };
  if (typeof message === 'string' && mayName(message)) return true;
  return isInside([beside, more], (member, key) => {
    if (key !== undefined && (isNameOfList(key) || mayName(key))) return true;
    if (Array.isArray(member)) return member.length > 0;
    return typeof member === 'string' && (isMembers(error) || mayName(member));
  });
}
