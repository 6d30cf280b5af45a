/** All that one setting means for another. */
import { checkLimits } from '../limits/check-limits.ts';
import { checkRules } from './access-checks.ts';
import { checkCertificate } from './certificate.ts';
import { checkAdmin, checkKeys } from './checks.ts';
import { checkCredentials } from './credential-checks.ts';
import { checkFaultGroups } from './fault-checks.ts';
import { checkSent } from './header-checks.ts';
import { checkOAuth } from './oauth-checks.ts';
import type { Report } from './problems.ts';
import { checkReach } from './reach.ts';
import type { Settings } from './settings.ts';
import { checkShapes } from './shape-checks.ts';

/** Reports settings that contradict each other, or need others. `wasWrong`: where mistakes are known already. */
export function checkTogether(
  settings: Settings,
  report: Report,
  wasWrong: (below?: string) => boolean = () => false,
): void {
  checkKeys(settings, report);
  checkAdmin(settings, report);
  checkCertificate(settings, report);
  checkReach(settings, report);
  // What a rule lacks is no second mistake where it could not be read.
  if (!wasWrong('access')) checkRules(settings, report);
  checkLimits(settings.limits, report);
  checkShapes(settings, report);
  if (!wasWrong('faults')) checkFaultGroups(settings, report);
  // They look at many settings, which have to be readable for that.
  if (wasWrong()) return;
  checkSent(settings, report);
  checkOAuth(settings, report);
  checkCredentials(settings, report);
}
