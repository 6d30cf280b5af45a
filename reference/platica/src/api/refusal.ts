/** How the REST interface says no: `{code, error, details?, errors?}`. */

/** One field that is wrong. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** A refusal, to be thrown and sent as it is. */
export function refusal(
  code: number,
  error: string,
  details?: string,
  extra: {
    readonly errors?: readonly FieldError[];
    readonly headers?: { readonly [name: string]: string };
  } = {},
): Response {
  const { headers = {}, errors } = extra;
  return Response.json({ code, error, details, errors }, { status: code, headers });
}
