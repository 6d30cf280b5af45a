/** What stands in an answer beside the members that its document defines. */
import { isRecord } from '../json.ts';

/** Members that name the answer, or say more of the refusal; `dev.mayday/` is ours. */
const OF_ANSWERS =
  /^(?:dev\.mayday\/.*|(?:request|correlation|trace|span)_?id|instance|timestamp|docs?|documentation(?:_?url)?|help|hint|suggestion|retry.*|limit|window|unit|remaining|reset.*|scope|required.*|reason|details?|message|tool|prompt|uri|resource|method|operation|session\w*|field|argument|capability|role|permission|.*_(?:size|type|ms|at|versions?))$/i;

/** Has it members that tell of something else, such as of what was made? */
export function saysMore(data: unknown, isForeign: (key: string) => boolean): true | undefined {
  const isMore = isRecord(data) && Object.keys(data).some((key) => isForeign(key) && !OF_ANSWERS.test(key));
  return isMore || undefined;
}
