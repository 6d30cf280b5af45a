/** An HTTP API, described by an OpenAPI document, as something to call. */
import SwaggerParser from '@apidevtools/swagger-parser';
import type { OpenApiSettings } from '../settings/settings.ts';
import { type Operation, operationsOf } from './operations.ts';
import { createValidator, type Validator } from './validate.ts';

/** A tool of the API. */
export interface ApiTool {
  readonly operation: Operation;
  readonly validate: Validator;
}

/** The API. */
export interface Api {
  readonly title: string;
  readonly version: string;
  readonly baseUrl: URL;
  readonly tools: ReadonlyMap<string, ApiTool>;
}

/** Reads and checks a document. Throws when it is none, or says nowhere where the API is. */
export async function loadApi(config: OpenApiSettings): Promise<Api> {
  const isUrl = /^https?:\/\//.test(config.openapi);
  const document = (await SwaggerParser.validate(config.openapi, {
    dereference: { circular: true },
  })) as unknown as {
    readonly [key: string]: unknown;
    readonly openapi?: string;
    readonly info?: { readonly title?: string; readonly version?: string };
    readonly servers?: readonly { readonly url?: string }[];
  };
  if (document.openapi?.startsWith('3.') !== true)
    throw new TypeError('Expected an OpenAPI 3.0 or 3.1 document');
  const base = config.baseUrl?.href ?? document.servers?.[0]?.url;
  const baseUrl = base === undefined ? null : URL.parse(base, isUrl ? config.openapi : undefined);
  if (baseUrl === null) throw new TypeError('The document names no absolute server; set base_url');
  const tools = new Map<string, ApiTool>();
  for (const operation of operationsOf(document)) {
    if (config.operations !== undefined && !config.operations.includes(operation.tool)) continue;
    tools.set(operation.tool, { operation, validate: createValidator(operation.inputSchema) });
  }
  return { title: document.info?.title ?? 'API', version: document.info?.version ?? '0', baseUrl, tools };
}
