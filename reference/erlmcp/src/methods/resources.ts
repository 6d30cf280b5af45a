/** `resources/list`, `resources/templates/list` and `resources/read`. */
import { checkContent, isText } from '../content.ts';
import { cut, raise } from '../errors.ts';
import { requireString } from '../params.ts';
import { FIXED, TEMPLATES } from '../resources/index.ts';
import type { Contents } from '../resources/resource.ts';
import { checkUri, isTemplate, match, variablesOf } from '../uri.ts';
import type { Method, MethodContext } from './method.ts';

/** A page of the resources that can be named. */
export const listResources: Method = (params, { app }) => {
  const notes = app.store.notes.names().map((name) => ({ uri: `note://${name}`, name }));
  const fixed = FIXED.map(({ uri, name, mimeType }) => ({ uri, name, mimeType }));
  const { items, ...rest } = app.paginate('resources/list', [...fixed, ...notes], params);
  return { resources: items, ...rest };
};

/** A page of the templates. */
export const listTemplates: Method = (params, { app }) => {
  const templates = TEMPLATES.map(({ uriTemplate, name }) => ({ uriTemplate, name }));
  const { items, ...rest } = app.paginate('resources/templates/list', templates, params);
  return { resourceTemplates: items, ...rest };
};

/** What a resource holds. */
export const readResource: Method = async (params, context) => {
  const uri = requireString(params, 'uri');
  const { mimeType, bytes } = await readUri(uri, context);
  if (!isText(mimeType)) return { contents: [{ uri, mimeType, blob: bytes.toString('base64') }] };
  checkContent(mimeType, bytes, Number.POSITIVE_INFINITY);
  return { contents: [{ uri, mimeType, text: bytes.toString('utf8') }] };
};

async function readUri(uri: string, context: MethodContext): Promise<Contents> {
  if (isTemplate(uri)) throw unfilled(uri);
  checkUri(uri);
  const fixed = FIXED.find((resource) => resource.uri === uri);
  if (fixed !== undefined) {
    checkAccess(uri, context);
    return fixed.read(context);
  }
  for (const { uriTemplate, read } of TEMPLATES) {
    const variables = match(uriTemplate, uri);
    const contents = variables === undefined ? undefined : await read(variables, context);
    if (contents !== undefined) return contents;
  }
  throw raise('resource_not_found', { uri: cut(uri) });
}

/** A template is no resource: it must exist, and be filled in. */
function unfilled(uri: string): Error {
  const template = TEMPLATES.find(({ uriTemplate }) => uriTemplate === uri);
  if (template === undefined) return raise('resource_template_not_found', { uri_template: cut(uri) });
  const [variable] = variablesOf(uri);
  return raise('template_render_failed', { uri_template: uri, reason: `missing_variable: ${variable}` });
}

/** Refuses a resource that the caller may not read. */
export function checkAccess(uri: string, { caller }: Pick<MethodContext, 'caller'>): void {
  const needs = FIXED.find((resource) => resource.uri === uri)?.needs;
  if (needs !== undefined && caller.who.user.role !== needs.role)
    throw raise('resource_access_denied', { uri, required_permission: needs.permission });
}
