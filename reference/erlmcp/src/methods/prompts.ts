/** `prompts/list` and `prompts/get`. */
import { cut, raise } from '../errors.ts';
import { optionalMembers, requireString } from '../params.ts';
import { PROMPTS } from '../prompts.ts';
import { reasonFor } from '../refusal.ts';
import type { Method } from './method.ts';

/** A page of the prompts. */
export const listPrompts: Method = (params, { app }) => {
  const prompts = PROMPTS.map(({ name, description, arguments: given }) => ({
    name,
    description,
    arguments: given.map(({ complete: _complete, ...argument }) => argument),
  }));
  const { items, ...rest } = app.paginate('prompts/list', prompts, params);
  return { prompts: items, ...rest };
};

/** A prompt with its arguments filled in. */
export const getPrompt: Method = (params, { app }) => {
  const name = requireString(params, 'name');
  const given = optionalMembers(params, 'arguments');
  const prompt = PROMPTS.find((candidate) => candidate.name === name);
  if (prompt === undefined) throw raise('prompt_not_found', { prompt: cut(name) });
  for (const argument of prompt.arguments)
    if (argument.required && given[argument.name] === undefined)
      throw raise('prompt_argument_missing', { prompt: name, argument: argument.name });
  const odd = Object.keys(given).find((key) => typeof given[key] !== 'string');
  if (odd !== undefined)
    throw raise('invalid_params', {
      details: `Invalid parameter type: arguments.${cut(odd)} must be a string`,
    });
  try {
    const text = prompt.render(given as { [name: string]: string }, app);
    const messages = [{ role: 'user', content: { type: 'text', text } }];
    return { description: prompt.description, messages };
  } catch (cause) {
    throw raise('prompt_render_failed', { prompt: name, reason: reasonFor(cause) }, cause);
  }
};
