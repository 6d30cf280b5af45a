/** Arguments → an HTTP request of the API. */
import type { Operation } from './operations.ts';

/** What goes out. */
export interface ApiRequest {
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: Buffer | undefined;
}

/** Builds the request of one operation. */
export function toRequest(
  operation: Operation,
  basePath: string,
  args: { readonly [name: string]: unknown },
): ApiRequest {
  let path = operation.path;
  const query = new URLSearchParams();
  const headers: { [name: string]: string } = {
    accept: 'application/json, application/problem+json, */*;q=0.5',
  };
  for (const parameter of operation.parameters) {
    const value = args[parameter.argument];
    if (value === undefined) continue;
    if (parameter.in === 'path')
      path = path.replaceAll(`{${parameter.name}}`, encodeURIComponent(textOf(value)));
    else if (parameter.in === 'header') headers[parameter.name.toLowerCase()] = oneLine(textOf(value));
    else if (Array.isArray(value) && parameter.explode)
      for (const item of value) query.append(parameter.name, textOf(item));
    else query.append(parameter.name, textOf(value));
  }
  const body =
    operation.bodyType === undefined || args['body'] === undefined
      ? undefined
      : bodyOf(operation.bodyType, args['body']);
  if (body !== undefined) headers['content-type'] = operation.bodyType ?? 'application/json';
  const search = query.size === 0 ? '' : `?${query}`;
  return { path: `${basePath.replace(/\/$/, '')}${path}${search}`, headers, body };
}

function bodyOf(type: string, value: unknown): Buffer {
  if (type === 'application/x-www-form-urlencoded' && typeof value === 'object' && value !== null) {
    const form = new URLSearchParams();
    for (const [name, member] of Object.entries(value)) form.append(name, textOf(member));
    return Buffer.from(form.toString());
  }
  return Buffer.from(typeof value === 'string' && !type.includes('json') ? value : JSON.stringify(value));
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** An argument cannot add a header of its own. */
function oneLine(value: string): string {
  return value.replace(/[\r\n\0]+/g, ' ');
}
