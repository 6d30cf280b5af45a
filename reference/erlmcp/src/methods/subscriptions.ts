/** `resources/subscribe` and `resources/unsubscribe`. */
import { cut, raise } from '../errors.ts';
import { requireString } from '../params.ts';
import { FIXED, TEMPLATES } from '../resources/index.ts';
import { checkUri, match } from '../uri.ts';
import type { Method } from './method.ts';
import { checkAccess } from './resources.ts';

const MAX_SUBSCRIPTIONS = 100;

/** Asks to be told when a resource changes. */
export const subscribe: Method = (params, context) => {
  const uri = requireString(params, 'uri');
  const { subscriptions } = context.session;
  checkUri(uri);
  const known =
    FIXED.some((fixed) => fixed.uri === uri) ||
    TEMPLATES.some(({ uriTemplate }) => match(uriTemplate, uri) !== undefined);
  if (!known) throw raise('subscription_failed', { uri: cut(uri), reason: 'resource_not_found' });
  checkAccess(uri, context);
  if (subscriptions.has(uri)) throw raise('subscription_failed', { uri, reason: 'already_subscribed' });
  if (subscriptions.size >= MAX_SUBSCRIPTIONS)
    throw raise('subscription_failed', { uri, reason: 'too_many_subscriptions' });
  subscriptions.add(uri);
  return {};
};

/** Takes that back. */
export const unsubscribe: Method = (params, { session }) => {
  const uri = requireString(params, 'uri');
  if (!session.subscriptions.delete(uri))
    throw raise('subscription_failed', { uri: cut(uri), reason: 'not_subscribed' });
  return {};
};
