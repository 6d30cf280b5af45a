/**
 * Work that was done, and something of the caller's that was wrong behind it: "Payment booked, but the receipt address is
 * invalid". What is wrong is no failure by itself, and words of work name the states of things as well ("status must be one of
 * created, updated"): so the work comes first, and what is wrong stands behind a turn.
 */

/** What is wrong with what the caller gave, or what is missing. */
const AMISS =
  /\b(?:invalid|malformed|missing|wrong|incorrect|required|needed|denied|forbidden|unauthori[sz]ed|expired|unsupported|unknown|exceed(?:ed|s)|busy|overloaded|(?:too (?:large|long|big|small|short|many))|not (?:been )?(?:valid|allowed|permitted|found|ready|supported|authori[sz]ed|authenticated|available|set|configured|verified|approved)|does(?: not|n't) exist)\b/i;

const AMISS_ABROAD =
  /(?<!\p{L})(?:ungültig\p{L}*|fehlt|abgelaufen|invalide|manquant\p{L}*|expirée?|inv[áa]lid[oa]|falta|caducad[oa]|expirad[oa]|non valid[oa]|scadut[oa]|mancante|ongeldig|ontbreekt|verlopen)(?!\p{L})|无效|缺少|过期|缺失/iu;

/** Behind these somebody tells of something else. */
const TURN =
  /\b(?:but|however|(?<!\bnot )yet|though|although|except)\b|(?<!\p{L})(?:aber|jedoch|mais|cependant|pero|ma|però|mas|porém|maar|echter)(?!\p{L})|但/iu;

/** So they do behind these, unless what was said before is how a thing is. */
const END = /;|[.!](?=\s)|\bwith\b/i;

/**
 * A comma ends as much only behind a deal or a message that was made: "order created, updated or closed" goes on, and what was
 * wrong with a file that was uploaded may be why it was refused.
 */
const COMMA = /,(?=\s)|:(?=\s)|;/;
const MADE =
  /^\s*(?:the |your |this )?(?:payment|charge|card|booking|transfer|refund|reservation|purchase|donation|deposit|order|invoice|e-?mail|message)\b(?: [\w#-]{1,40}){0,2}? (?:(?:was|were|has been|have been) )?(?:made|taken|booked|charged|captured|confirmed|paid|placed|sent|created|issued|completed|processed|refunded|transferred)\s*$/i;

/** How a thing is, once somebody has done it, perhaps long ago. */
const STATE =
  /\b(?:closed|archived|cancell?ed|deactivated|activated|enabled|revoked|opened|signed|issued|accepted|approved|started|registered|assigned|granted)\b/i;

const IS = /\b(?:is|are|was|were|been)\b/i;

/** Where one word ends and another begins; Chinese has none. */
const SEVERAL = /\S\s+\S|\p{Script=Han}{2}/u;

/** Is something wrong behind work that was done? `clausesOf` takes apart, `isDone` knows a clause that tells of work. */
export function isAmissBehindWork(
  text: string,
  clausesOf: (text: string) => readonly string[],
  isDone: (clause: string) => boolean,
): boolean {
  const behind = (between: RegExp, isWork: (clause: string) => boolean): boolean => {
    const parts = text.split(between);
    const done = parts.findIndex((part) =>
      clausesOf(part).some((clause) => SEVERAL.test(clause) && isWork(clause) && isDone(clause)),
    );
    return done >= 0 && parts.slice(done + 1).some((part) => AMISS.test(part) || AMISS_ABROAD.test(part));
  };
  return (
    behind(TURN, (clause) => !(STATE.test(clause) && IS.test(clause))) ||
    behind(END, (clause) => !STATE.test(clause)) ||
    behind(COMMA, (clause) => MADE.test(clause))
  );
}
