/**
 * What a plain text tells: a failure, a change that was made, or something about failures in general. "File deleted" and
 * "Rate limit updated to 100/min" name what failures are about, and are answers to those who asked for it.
 */
import { callsItself, looksLikeAnswer } from './called.ts';

/** A text that calls itself an error, or begins with what could not be done. */
const CALLED =
  /^\s{0,8}(?:[^\w\s]{1,4}\s{0,4})?(?:\[?(?:(?:mcp|(?:json-?)?rpc) )?(?:error|fatal|failure|exception)\b(?! \d{4}-\d\d)(?:\]|[^\n]{0,100}?(?::\*{0,2}|\s[-–—])(?:\s|$)|\s{0,2}\(?-?\d)|(?:[\w.-]{1,40} ){1,4}error(?: \(?\d{1,5}\)?)?: |(?:failed|unable) to\b|failed:|could not|couldn't|cannot|can't|traceback|fetch failed|request failed|http failure response\b|[^\n:.(]{1,60}\bfailed(?::|[.!]?\s{0,4}$)|[\w.]{1,60}(?:Error|Exception)\b|[^\n:.(]{1,60}\bfailed[.!] (?:please|check|try|verify|see|no (?:further|more|other))\b|command failed with (?:exit )?(?:code|status) \d|(?:fehler|erreur|erro|errore|fout|fel|błąd|hata|ошибка|помилка|错误|錯誤|エラー|오류|에러)\s{0,2}[:：]|[一-鿿]{0,8}失败[。！!]?\s{0,4}$|エラーが発生|오류가 발생|(?:bir )?hata oluştu: |[一-鿿]{1,24}(?:错误|錯誤|出错|出錯|异常|異常|失败|失敗)\s{0,2}[:：]\s{0,2}(?!\d{1,9}(?:\s?[次个個件条條]|\s{0,4}$))\S|[぀-ヿ一-鿿]{1,40}(?:エラー|失敗)(?:が発生しました|が発生|しました)?\s{0,2}[:：]\s{0,2}(?!\d{1,9}(?:\s?[件回]|\s{0,4}$))\S|[가-힣 ]{1,40}(?:오류|에러|실패)(?:가 발생(?:했습니다|하였습니다)?|했습니다)?\s{0,2}[:：]\s{0,2}(?!\d{1,9}(?:\s?[건회개]|\s{0,4}$))\S)/i;

/** In other languages: an error while something was done, or that there was one. Where a number follows, it is how many. */
const ABROAD =
  /^(?![^\n]{0,80}: ?\d)[^\p{L}\n]{0,6}(?:error al [a-zñ]{2,20}[aei]r(?:se)?\b|error durante |erreur (?:lors |pendant )|fehler (?:beim |bei |während )|errore (?:durante |nel )|erro (?:ao |durante )|ошибка (?:при|во время) |fout (?:bij |tijdens )|błąd (?:podczas |przy )|fel vid |(?:une )?erreur (?:est survenue|s['’]est produite)|(?:es ist )?ein fehler (?:ist )?aufgetreten|(?:se (?:ha producido|produjo)|ocurrió) un error|ocorreu um erro|si è verificato un errore|произошла ошибка|wystąpił błąd|er is een fout opgetreden|bir hata oluştu)[^\n]{0,200}$/iu;

/** Does a text of another language say that something went wrong, and not what? */
export function tellsAbroad(text: string): boolean {
  return ABROAD.test(text);
}

/** What is said of a thing that is not as it has to be. */
const NEGATED =
  'found|exists?|accessible|authenticated|authorized|authorised|allowed|permitted|supported|connected|initiali[sz]ed|configured|installed|valid|recogni[sz]ed|set|defined|implemented|reachable|ready|loaded|logged in|signed in|possible|deleted|removed|completed|processed|sent|saved|known';
/** How a sentence goes on when its predicate is over. */
const OVER = String.raw`(?=\s{0,4}(?:$|[.,:;!(–—-]|(?:in|on|at|for|from|to|by|with|or|and|because|as|due|against)\b))`;
/** The names that statuses have, and what is said as shortly. */
const NAMES =
  'bad request|unauthorized|unauthenticated|payment required|forbidden(?: resource)?|not found|method not allowed|not acceptable|conflict|gone|precondition failed|(?:payload|content|request entity) too large|unsupported media type|unprocessable (?:entity|content)|too many (?:requests|attempts|calls)|internal (?:server )?error|server error|not implemented|bad gateway|(?:service |temporarily |currently ){0,2}unavailable|gateway time-?out|(?:access|permission) (?:was |is )?denied|(?:(?:request|operation|connection|query|call) )?(?:has )?timed out|timeout|connection (?:refused|reset|timed out|lost|failed|error)|socket hang up|network error|(?:network|host) (?:is )?unreachable|no such [\\w-]{2,40}|resource exhausted|deadline exceeded';

/** What stands before a status that is not alone. */
const BEFORE = String.raw`(?:[^\w\n]{1,3}(?:an?|the|https?|error|failure|status|code|response|request|call|server|api|unexpected|failed|occurred|with|was|is|not|ok))`;
/** A failing status, and its name if it has one; nothing is said behind it but of what call it was, or why. */
const FAILING = String.raw`[45]\d\d\b(?:\W{1,3}(?:${NAMES})\b)?(?!\W{1,4}\d)(?=[.!)]{0,2}\s{0,4}(?:$|\n)|\s?[:,;(]|\s[–—-]\s|[.!] |\s(?:for|from|while|when \w{2,30}ing|on|at|during|because|received|returned)\b)`;
/** A checker says of a status when it looked, and that all is as it has to be. */
const LOOKED = String.raw`(?![^\n]{0,200}(?:\b(?:healthy|recovered|checked|mocked|as expected)\b|\(expected\)|\bpassed[.!]?(?:$|\n)))`;
/** A text that begins with the status of an answer; one whose headers follow was fetched for somebody. */
const STATUS = new RegExp(
  String.raw`^${LOOKED}(?!http/[^\n]{1,80}\n[\w-]{1,40}: )(?:https?(?:/[\d.]{1,4})?|status)${BEFORE}{0,5}[^\w\n]{1,3}${FAILING}`,
  'i',
);
/** A status with its name, or with a few words that go with any: what is left of an answer that had nothing else. */
const BARE = [
  String.raw`^(?=[45]\d\d\W{1,3}(?:${NAMES})\b)${FAILING}`,
  String.raw`^(?=[^\n]{0,60}\b(?:status|response code|unexpected|error|failed|not ok|non-\w{2,7})\b)(?:got|received|the|an?|server|client|api|upstream|backend|response|request|call|failed|unexpected|bad|invalid|non-(?:200|2xx|ok|success))\b${BEFORE}{0,6}[^\w\n]{1,3}[45]\d\d\b(?:\W{1,3}(?:${NAMES})\b)?(?: (?:for|from) [^\s]{1,200}(?: [^\s]{1,40})?)?[.!)]{0,2}\s{0,4}$`,
];
/** Lines of names and values, such as a checker hands over; where one of them says what went wrong, it is none. */
const RECORD =
  /^(?![\s\S]*\n(?:body|message|error|details?|reason|response)\b)(?:[a-z][\w -]{0,30}: [^\n]{0,200}(?:\n|$)){3,40}$/i;
/** How a failure is broken gently. */
const GENTLY =
  /^(?:(?:(?:i'm|i am|we're|we are) )?(?:very |so )?(?:sorry|apologies|unfortunately|oops|regrettably)\b[^\w\n]{1,4}(?:but )?)?(?:(?:i|we) (?:(?:was|were|am|are) )?(?=(?:could not|couldn't|cannot|can't|failed to|unable to) (?!find|see|detect|spot|identify|think|say|tell|recommend)))?/i;

/** What changes leave behind, as those who made them say it. */
const CHANGED =
  'abandoned|aborted|accepted|activated|added|adjusted|applied|approved|archived|assigned|attached|banned|blocked|booked|cancell?ed|changed|checked (?:in|out)|cleaned(?: up)?|cleared|closed|committed|completed|configured|confirmed|copied|created|deactivated|declined|decreased|deleted|demoted|deployed|detached|disabled|discarded|disconnected|dismissed|dropped|edited|emptied|enabled|ended|evicted|excluded|executed|exported|extended|finished|fixed|flushed|forgotten|hidden|ignored|imported|increased|informed|inserted|installed|invalidated|issued|kicked|killed|limited|linked|locked|logged out|lowered|marked|merged|migrated|moved|muted|opened|paused|pinned|posted|promoted|published|purged|queued|raised|rebuilt|recorded|reduced|refreshed|refunded|registered|released|removed|renamed|renewed|reopened|repaired|replaced|reset|resolved|restarted|restored|restricted|resumed|revoked|rolled back|rotated|saved|scaled|scheduled|sent|set|shared|silenced|skipped|sorted|started|stopped|stored|submitted|subscribed|suspended|switched|terminated|transferred|translated|truncated|turned|unarchived|unblocked|undone|uninstalled|unlinked|unlocked|unmuted|unpinned|unpublished|unshared|unsubscribed|updated|upgraded|uploaded|voided|written';

/** What somebody is asked to do about what is over. */
const ASKS = 'please|log|sign|re|use|get|run|upgrade|subscribe|choose|buy|contact|extend|purchase';

const FAILURES = [
  `^(?:element|locator|selector|xpath)\\b[^.\\n]{0,60}\\b(?:did not|does not|didn't|doesn't) match\\b`,
  '^(?:timed out|time-?out) (?:after|waiting|while|when|exceeded)\\b',
  '^(?:the )?(?:command|script|execution|process|navigation|tool) timed out\\b',
  "^[\\w\"'`. -]{1,60}\\b(?:cannot|can't|may not|must not) be (?:blank|empty|negative|null|zero)\\b",
  '^please (?:add|configure|define|export|set) (?:the |your )?\\w{1,30}_(?:api_key|dsn|id|key|pat|password|secret|token|url)\\b',
  '^(?:directory|file|path)\\b[^.\\n]{0,60}\\boutside (?:of )?(?:the|your|all)\\b',
  '^(?:the )?(?:answer|output|response) (?:is|was) not valid\\b',
  '^no such file or directory\\b',
  '^permission denied \\(',
  ...BARE,
  '^(?:invalid|missing|unknown|unrecognized|unsupported|wrong|incorrect|bad) [\\w "\'`-]{2,60}(?:[.!]?\\s{0,4}$|: |\\. )',
  `^(?:${NAMES})(?: after [\\d.]+ ?\\w{1,12})?(?:[.!]?\\s{0,4}$|[:,;–—]|\\. |\\s[-(])`,
  `^[^.!?:;\\n]{0,40}\\b(?:limit|quota|budget|capacity|allowance)s?(?: (?:was|is|has been|were))? (?:exceeded|reached|exhausted|used up)\\b`,
  `^[^.!?;\\n]{1,100}? ?(?:\\bnot|n't|\\bcannot|\\bno longer)(?: be(?:en)?)?(?: (?:properly|correctly|fully))? (?:${NEGATED})${OVER}`,
  `^[^.!?;\\n]{1,100}? ?(?:\\bnot|n't|\\bcannot) be (?:${CHANGED})\\b`,
  `^not (?:available|${NEGATED})${OVER}`,
  '^[^.!?;\\n]{1,100}? not available(?: or\\b|[.!]|\\s{0,4}$)',
  '^no [\\w -]{1,40} (?:is|are|was) [\\w ]{2,40}[.;,] [^\\n]{1,100}\\bfirst[.!]?$',
  '^(?:you|the (?:user|caller|token|key|account))\\b[^.\\n]{0,40}\\b(?:not|no|cannot)\\b',
  "^you (?:don't have (?!to\\b)|aren't (?:allowed|authori|permitted|a member)|can't access\\b)",
  "^you(?: have|'ve) (?:run out of|used up|reached|hit|exceeded) (?:your|the|all)?\\b",
  '^please (?:log|sign) in\\b|^please (?:connect|open|select|choose|authenticate|load|join)\\b[^.\\n]{0,60}\\bfirst[.!]?$',
  '^no (?:active|open|current|selected|connected) [\\w -]{1,40}[.;,] [^\\n]{1,100}\\bfirst[.!]?$',
  '^[\\w"\'`.,\\s-]{1,80}\\b(?:is|are) required\\b',
  '^[\\w"\'`. -]{1,60}\\bmust (?:be|have|contain|match|start|end|not|provide)\\b',
  '^(?:the |your )?(?:[\\w-]{1,30} ){0,2}(?:credentials?|key|password|token) missing[.!:]?(?:\\s|$)',
  '^(?:insufficient|not enough|no) (?:permissions?|funds|access|credits?|quota|scopes?|privileges|rights|balance|memory|space)\\b',
  '^[^.:;\\n]{1,60}\\btoo (?:large|long|big|many|short|small)\\b',
  '^[^.;\\n]{1,80}\\balready (?:exists?|in use|taken)\\b',
  `^[\\w' -]{1,40}\\b(?:(?:has |is |was |have )?expired|(?:has|have) been revoked)(?:[.!]?\\s{0,4}$|[.,;:!]\\s{1,2}(?:${ASKS})\\w*)`,
  "^your [\\w -]{1,40} (?:does not|doesn't) (?:allow|cover|include|permit)\\b",
  "^[^.!?;\\n]{0,60}\\b(?:credentials?|headers?|keys?|passwords?|tokens?)(?: was| were| is| are)?(?: not|n't) (?:accepted|given|presented|provided|sent|supplied|valid)\\b",
  '^the given [\\w ]{2,30} (?:was|were) invalid\\b',
  '^no [\\w -]{1,40} match(?:es|ed)? (?:the|this|with) (?:given|those) (?:criteria|id|query|values)\\b|^no [\\w -]{1,40} matched with those values\\b',
  '^(?:connect|getaddrinfo|read|write|listen|spawn|dial tcp)\\b[^\\n]{0,80}\\bE[A-Z]{4,}\\b|^E[A-Z]{4,}(?::|\\s{0,4}$)',
  "^(?:the )?(?:[\\w'-]{1,30} )?(?:service|server|api|database|backend|host|upstream|site|system|model)s? (?:is|are|was) (?:currently |temporarily )?(?:unreachable|unavailable|overloaded|busy|down)\\b(?!;)",
  '^(?:you|please)\\b[^.\\n]{0,20}\\b(?:need|must|have|required) (?:to )?(?:be )?(?:log|sign|authenticat|authori[sz]|connect|provid|specif|select|configur)',
  '\\b(?:returned|responded with|answered(?: with)?|got|received) (?:an? )?(?:http )?(?:status )?(?:code )?[45]\\d\\d\\b',
  '^[\\w"\'` -]{1,60} (?:is|are) (?:invalid|missing|incorrect|wrong|malformed|unknown|empty|forbidden|unauthorized|restricted)\\b',
  '\\brequires? (?:authentication|authori[sz]ation|login|an? (?:api )?(?:key|token))\\b',
  '^exceeded |^please (?:provide|specify|enter|supply|select)\\b',
  // What is asked for by an example of it, or by what arguments are called.
  '^(?:provide|specify|supply) (?:an?|your|at least one|either|one of) [\\w -]{1,40},? (?:like|such as|e\\.g\\.|for example) [^\\n]{1,60}$',
  '^(?:provide|specify|supply) (?:an?|your|at least one) (?:[\\w-]{1,20} ){0,2}(?:id|identifier|keyword|name|parameter|query|symbol|term|ticker|url|value)[.!]?$',
  '\\b(?:due to|because of) (?:an? |the )?(?:timeout|error|failure|network|lack)\\b',
  '^[^\\n]{1,120}\\b(?:try again|retry)(?: later| in [^.\\n]{1,20})?[.!]?$',
  '^(?:oops\\W+)?(?:something went wrong|an? (?:[\\w-]{1,20} )?error occurred)\\b',
  '^(?:rate[ -]?limited|throttled|too many)\\b',
  '^no [\\w -]{1,40}[.;,] (?:please )?[a-z]+ [^\\n]{1,80}\\bfirst[.!]?$',
  '^no (?:api key|(?:access )?token|credentials?|password)\\b[^.\\n]{0,30}\\b(?:configured|found|given|provided|set)\\b',
  '^only [\\w ]{2,40} (?:can|may) \\w+ (?:this|these|that)\\b',
  "^you(?: have|'ve) (?:already )?used (?:up )?(?:all|your|the last)\\b",
  '^your (?:[\\w-]+ ){1,3}(?:is|are|has been|have been) (?:used up|exhausted|spent)\\b',
  '^i need (?:an?|the|your) [^.\\n]{1,60}\\. please (?:give|name|provide|specify|tell)\\b',
  '^there is no [\\w-]{2,30} with (?:the |that |this )?(?:id|key|name|number)\\b',
  '^(?:the |your |this )?(?:call|connection|lookup|operation|query|request|search) (?:has )?timed out\\b',
  // In other languages.
  "(?<!\\p{L})(?:nicht (?:gefunden|vorhanden|verfügbar|erlaubt|erreichbar)|existiert nicht|verweigert|zeitüberschreitung|fehlgeschlagen|introuvable|n'existe pas|refusé|non trouvé|délai (?:d'attente )?dépassé|no (?:encontrad[oa]|existe)|denegad[oa]|agotad[oa]|épuisée?s?|esgotad[oa]|aufgebraucht|kein(?:en?)? (?:zugriff|berechtigung|rechte)|nicht (?:berechtigt|angemeldet)|pas (?:autorisée?|le droit|connectée?)|no responde|ne répond pas|antwortet nicht|nie odpowiada|не отвечает|não responde|non risponde|reageert niet|(?:debe|tiene que) iniciar sesión|veuillez vous (?:re)?connecter|não (?:encontrad[oa]|existe)|negad[oa]|non (?:trovat[oa]|esiste)|negato|niet gevonden|geweigerd|не найден[аоы]?|не существует|запрещ[её]н[оа]?|nie znaleziono|bulunamadı)(?!\\p{L})",
  '未找到|找不到|不存在|无权|拒绝|超时|失败|見つかりません|存在しません|できません|多すぎます|失敗|찾을 수 없|없습니다|실패|거부',
].map((form) => new RegExp(form, 'iu'));

const DENIED = String.raw`(?!no (?:api key|(?:access )?token|credentials?|password)\b)(?!.{0,120}\b(?:not|cannot|never|unable|failed|fails|could|couldn't|can't|without)\b)(?!.{0,120}n't\b)(?!.{0,200}\b(?:please (?:log|sign|authenticate|re)|try again\b|due to\b))`;
/** How such a sentence ends, or goes on. */
const AFTER = String.raw`(?=\s{0,4}(?:$|[.!,;:(]|\d)|\s(?:to|from|in|on|off|at|by|for|as|with|and|until|since|back|down|up|out|over|after|before|again|of|successfully|correctly|permanently)\b)`;

/** What is asked for can be refused; what is refused otherwise was somebody's decision. */
const REFUSED =
  /^(?:the |your )?(?:request|call|connection|payment|card|login|upload|query)\b[^.;:\n]{0,30} (?:rejected|refused|denied|declined|forbidden|blocked|aborted|throttled)(?=\s{0,4}(?:$|[.,:;!(])|\s(?:by|because|due|for|with|as|from|after)\b)(?! by (?:reviewer|approver|manager|editor|@))|^(?:the |your )?(?:action|command|execution|operation|tool call)(?: was| is)? (?:aborted|blocked|declined|denied|refused|rejected)(?=:\s|\s(?:because|by|due)\b)(?! by (?:the )?user)/i;

/** What somebody had is over, and something is asked for; or they are not let in any more. */
const OVER_FOR_YOU = new RegExp(
  `^(?:your|the|free|trial)\\b[\\w' -]{0,40}\\b(?:ended|is over|lapsed|run out)[.,;:!]\\s{1,2}(?:${ASKS})\\w*|^(?:user|account) (?:is )?inactive\\b`,
  'i',
);

/** What is said of input, and is no change. */
const COMPLAINED =
  '(?:provided|supplied|specified|passed|received|used|required|occurred|encountered|detected|needed|expected|requested|entered|returned|configured|failed|denied|rejected|expired|exceeded|supported|formed|defined|named|called)';

const CHANGES = [
  `^(?:successfully )?(?:\\d+ [\\w-]+ )?(?:${CHANGED}|wrote|left)\\b(?! by\\b| due\\b| because\\b|: (?:error|timeout|rate|connection))`,
  `^${DENIED}[^.:;!?\\n]{1,100}?(?<! (?:is|are|be)) (?:(?:was|were|has been|have been|is now|are now|got) )?(?:successfully )?(?:${CHANGED})${AFTER}`,
  `^(?:invalid|missing|unknown|unsupported|unrecognized) [\\w -]{1,40}\\b(?!${COMPLAINED}\\b)[a-z]{2,}ed(?::|[.!]?$| (?:in|from|to|on)\\b)`,
  `[;.] (?:[^.:;!?\\n]{1,60} )?(?:${CHANGED})[.!]?$`,
  '[;,.] (?:re)?(?:fetched|loaded|read|served|downloaded) (?:it )?(?:from|instead)\\b',
  '\\b(?:nothing (?:was )?changed|no changes? (?:needed|made|necessary)|up to date|as (?:requested|scheduled|planned)|from now on)\\b',
  '(?<!\\p{L})(?:successfully|erfolgreich|avec succès|con éxito|correctamente|com sucesso|con successo|met succes|başarıyla|успешно|pomyślnie)(?!\\p{L})',
  '(?<!\\p{L})(?:gelöscht|entfernt|gesetzt|gesperrt|entsperrt|storniert|angelegt|erstellt|geändert|aktualisiert|gespeichert|getrennt|geschlossen|abgebrochen|archiviert|deaktiviert|aktiviert|widerrufen|geleert|verschoben|umbenannt|gesendet|hinzugefügt|zurückgesetzt|beendet|gestoppt|verwijderd|geblokkeerd|geannuleerd|bijgewerkt|aangemaakt|opgeslagen|gewijzigd)[.!]?$',
  '(?<!\\p{L})(?!create(?!\\p{L}))(?:(?:supprim|annul|bloqu|vid|cré|modifi|archiv|désactiv|révoqu|ferm|ajout|enregistr|envoy|réinitialis|renomm)ée?s?|mise?s? à jour|(?:elimin|cancel|borr|bloque|archiv|actualiz|guard|desactiv|revoc|cerr|envi|atualiz|salv|bloque|annull|aggiorn|cre|invi)(?:ad|at)[oaie]s?|(?:exclu[ií]d|removid|rimoss)[oaie]s?|se (?:elimin|cre|actualiz|guard|borr|cancel)(?:ó|aron))(?!\\p{L})',
  '(?<!\\p{L})(?:удал[её]н|заблокирован|отмен[её]н|создан|обновл[её]н|сохран[её]н|измен[её]н)[аоы]?(?!\\p{L})|(?<!\\p{L})(?:usunięt|utworzon|zaktualizowan|anulowan|zablokowan)[yaeo](?!\\p{L})|(?:silindi|güncellendi|oluşturuldu|iptal edildi)[.!]?$',
  '已(?:被|成功)*(?:删除|禁用|取消|更新|创建|移除|关闭|清除|归档|撤销|保存|锁定)|(?:しました|されました)[。!]?$|(?:되었습니다|했습니다)[.!]?$',
].map((form) => new RegExp(form, 'iu'));

/** Questions, and quotations of standards: whatever they begin with, they are no failure of anybody's. */
const ASKED =
  /^[^.!:\n]{0,120}\?(?:\s|$)|\(RFC \d|^(?:(?:mcp|json-?rpc) )?(?:error|exception) (?:budget|codes|handling|rates?|types)\b/i;
/** Sentences about failures, in documents and in the news. */
const ABOUT =
  /\bnot found (?:in|on|among) (?:the |any |our |known )?(?:[\w-]+ )?(?:(?:ban|block|black|deny|sanctions?|spam|suppression|exclusion|watch)[ -]?lists?|breaches|leaks)\b|[,;.] (?:so|therefore|thus|hence) [^.\n]{0,40}\b(?:available|clear|fine|free|healthy|ok|okay|safe)\b|^(?:the |your |last |this )?(?:[\w-]+ )?(?:backup|build|delivery|deploy|deployment|job|pipeline|run)\b[^.:;\n]{0,30} failed (?:at \d|in step|on (?:mon|tue|wed|thu|fri|sat|sun|\d)|yesterday|last)|\bunder (?:this|the|our|your) policy\b|\b(?:means?|mean that)\b|\b(?:is|are) (?:reported|returned|raised|thrown|explained|described|handled|documented|shown|a|an|denied by default)\s|\breturns? [^.\n]{0,60}\bwhen\b|\bhow to\b|\bcomes from\b|\bled to\b|^(?:to|use|when|if) |\b(?:signifie|bedeutet|significa|означает)\b|\((?:last )?(?:checked|seen|measured)\b|^the (?:json|ya?ml|xml|html|csv|schema|syntax|document|certificate|password)\b[^.\n]{0,30} (?:is|are) (?:invalid|malformed|incorrect)\b|^(?:ошибок|проблем|fehler|erreurs?|error(?:es|s)|erros|errori) (?:не|nicht|no|non|not)(?!\p{L})/iu;

/** Somebody's own words are about anything. */
const QUOTES = /"[^"\n]{1,200}"|“[^”\n]{1,200}”|`[^`\n]{1,200}`/g;
/** What a text is, its beginning tells. */
const HEAD = 2000;
/** A change is told in a sentence or two. */
const LONGEST = 300;

/** What a plain text is, as far as its form tells. */
export type Told = 'called a failure' | 'a failure' | 'a change' | 'about failures' | 'something';

/** What a plain text tells by its form, whatever its words are about. */
export function toldIn(text: string): Told {
  const whole = text.slice(0, HEAD).trim().replace(GENTLY, '');
  const said = whole.replace(/^[^\p{L}\p{N}"'`“(]{1,4}/u, '');
  if (ASKED.test(said)) return 'about failures';
  if (looksLikeAnswer(said) || looksLikeAnswer(whole)) return 'something';
  if (COUNTED_ABROAD.test(said)) return 'something';
  if (CALLED.test(whole) || callsItself(whole) || tellsAbroad(said)) return 'called a failure';
  const plain = said.replace(QUOTES, 'x');
  const isChange = tellsChange(plain);
  if (!isChange && STATUS.test(said)) return RECORD.test(said) ? 'something' : 'called a failure';
  if (ABOUT.test(said)) return 'about failures';
  if (COUNTED.test(plain)) return 'something';
  if (REFUSED.test(plain) || OVER_FOR_YOU.test(plain)) return 'a failure';
  if (isChange) return 'a change';
  return FAILURES.some((form) => form.test(plain)) ? 'a failure' : 'something';
}

function tellsChange(plain: string): boolean {
  return plain.length <= LONGEST && !FAILED.test(plain) && CHANGES.some((form) => form.test(plain));
}

/** How many there are of what is named. */
const COUNTED =
  /^(?:invalid|missing|unknown|unauthorized|expired|failed|forbidden|wrong|incorrect|unsupported|bad) [\w -]{1,40}(?:(?<!statu)s|rate|ratio|count|total): \d|^[45]\d\d\b[\w -]{0,40}: \d|^(?:not found|errors?|failures?|failed|timeouts?): \d/i;
/** The same in languages without blanks, with the word for what is counted. */
const COUNTED_ABROAD =
  /^[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af ]{1,24}\s?[:：]\s{0,2}\d{1,9}\s?[次个個件条條回건회개]?\s{0,4}$/;
/** What went well in part did not go well. */
const FAILED = /(?:^|\n|[.;] )(?:failed|error|could not|unable)\b/i;
