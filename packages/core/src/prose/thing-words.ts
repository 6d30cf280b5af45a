/** Words for things, and words around them. */
import { SUBJECT_TYPES } from '../fault.ts';

/** The words of a text. */
export const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Of these a bare "X not found" tells; any other word alone may as well be the name of what was looked for. */
export const COMMON: ReadonlySet<string> = /* @__PURE__ */ setOf(
  `account address album app application appointment archive article artifact artist asset assignment attachment author
  avatar backup badge balance batch block board book booking bot branch bucket budget build calendar campaign card cart
  category channel chapter chart chat city class client cluster collection column comment commit company component contact
  container contract conversation country coupon course currency customer dashboard database dataset deal department
  deployment device directory document domain draft element employee environment episode event experiment export feed file film
  flight flow folder form function game goal group guest guild hotel image index instance integration invitation invoice
  issue item_list job journal label language lead lesson link list listing location map meeting member membership menu
  milestone model movie namespace network node note notebook offer order organisation organization package page parcel
  participant patient payment person photo pipeline place plan player playlist podcast policy poll portfolio post product
  profile project property quiz recipe recipient recording region release reminder report repo repository reservation
  review role room route_table rule run runner sample scene schedule schema screen screenshot section segment sender
  sensor series shipment shop show site slide snapshot snippet song space spreadsheet sprint stage station step store story
  student survey symbol table tag team template theme thread ticket timer topic track trade transaction trip unit user vault
  vehicle vendor venue video view volume voucher wallet warehouse webhook widget wiki workflow workspace zone
  agent alert assistant audio bill bundle charge checklist clip delivery diagram discussion envelope epic estimate exercise
  expense extension fund gallery gist highlight incident ingredient inbox loan mailbox metric monitor notification paper
  plugin pod preset printer procedure program promotion proposal question queue quote receipt refund relation restaurant
  seat sheet shift skill slot speaker stack stream submission supplier tenant transcript trigger tweet variant visit voice
  worker worksheet
  benutzer bestellung datei dokument kunde ordner projekt rechnung seite
  client commande fichier dossier facture projet utilisateur
  archivo carpeta cliente documento factura pedido proyecto usuario`,
);

/** Whoever these are, a bare word behind them is somebody's name. */
export const PEOPLE: ReadonlySet<string> = /* @__PURE__ */ setOf(
  `account applicant artist assignee attendee author candidate client colleague contact customer doctor employee friend guest
  host lead member owner participant patient person player recipient reviewer sender student subscriber teacher user
  username benutzer kunde kundin mitarbeiter patient nutzer client cliente contacto usuario utilisateur salarié`,
);

/** Heads that say nothing, or are no thing; what is missing or refused itself; and what has a fixed meaning. */
export const NO_TYPE: ReadonlySet<string> = /* @__PURE__ */ setOf(
  `${SUBJECT_TYPES.join(' ')} access action anything api area argument arguments authority body bytes call chance code
  combination config configuration content contents copy credential credentials data deadline detail details
  endpoint entity entities entry envvar error errors everything exception failure feature field fields http id identifier
  information input item items jwt key keys length limit login match matches means name nothing nada nichts object objects
  one ones operation option other others output parameter parameters password passwords path payload permission
  permissions privilege privileges problem quota reason record records reference request requests response responses
  result results right rights rien route secret secrets server service setting settings signature size something spec stderr
  stdout status stuff system text thing things time timeout token tokens url urls value values variable variables way`,
);

/** Words in front of a thing that are no part of what it is called. */
export const DETERMINERS: ReadonlySet<string> = /* @__PURE__ */ setOf(
  `a an the this that these those your our my their his her its any each some
  das der die den dem dieser diese dieses ein eine einen le la les un une ce cette el los las una este esta ningún ninguna`,
);
export const MODIFIERS: ReadonlySet<string> = /* @__PURE__ */ setOf(
  `active additional first last next second third only archived associated available cancelled closed corresponding current default deleted desired disabled
  empty enabled existing following given inactive incoming intended invalid linked listed matching missing named new old open
  original outgoing parent destination particular pending previous private protected provided public related remaining removed requested
  required respective restricted same selected shared similar single specific specified such supplied target underlying
  unknown upcoming valid whole working angegebene angeforderte gewünschte`,
);

/** Here the name of a thing has ended, and what qualifies it begins. */
export const QUALIFIERS: ReadonlySet<string> = /* @__PURE__ */ setOf(
  `about above after already as at available because before below but by denied due during exists for found from here if in
  inside into is are was were has have matches matching not of on outside please requested since specified that there to
  under using via when where which while who whose with within without you we provided given selected anymore
  trouvé trouvée gefunden encontrado encontrada für mit von in im auf dans de del du en avec con para sur pour`,
);

/** What tells one thing from others of its type. */
export const LABELS: ReadonlySet<string> = /* @__PURE__ */ setOf(
  'id ids uuid guid identifier number no nr nummer numéro número name named called titled title slug label handle email e-mail',
);

/** What does so where it is said that something has it: "with the key". A code may be a secret one. */
export const TELLS_APART: ReadonlySet<string> = /* @__PURE__ */ setOf(
  'address alias barcode key path ref reference sha sku symbol uri url',
);

/** Where these stand, there is a clause, or more than one thing. */
export const CLAUSES: ReadonlySet<string> = /* @__PURE__ */ setOf(
  `and or nor either neither both und oder et ou y o i he she they it what how why all none could cannot can could should would
  must may might do does did be been being fail failed fails failure error errors fatal warning get getting fetch fetched load
  loaded read create created update updated delete find send sent open opened try tried trying there here then than so
  again now never ever still yet also only just really actually currently quickly recently previously probably apparently
  another something es se`,
);

/** Gerunds that are nouns: any other is what somebody was doing. */
export const GERUNDS: ReadonlySet<string> = /* @__PURE__ */ setOf(
  `advertising banking billing booking bowling building catering clothing drawing dwelling engineering filing finding heating
  holding housing landing lightning listing mailing marketing meeting offering painting parking posting pricing rating
  reading recording ring scoring setting shipping shopping spring staging string swimming testing ticketing training voting
  wedding wing`,
);

/** What is told apart by a bare word: "Role editor", "Branch main". */
export const BARE_NAME: ReadonlySet<string> = /* @__PURE__ */ setOf(
  `account alias app application board branch bucket calendar category channel city client cluster collection column container contact
  country coupon currency customer dashboard database dataset device directory domain employee environment folder function game group
  guild index instance integration job label language library list location macro member menu model module monitor namespace notebook network organisation organization package
  participant pipeline player playlist plugin policy preset procedure profile program project queue realm region relation repo
  repository role room rule runner scene schedule schema sensor server_group service_account skill snippet space sprint stack station stream style symbol table tag team
  template tenant theme timer topic trigger user username vault view volume webhook widget workflow workspace zone benutzer gruppe ordner projekt
  rolle tabelle`,
);

/** Of these any word may be the name. */
export const ANY_NAME: ReadonlySet<string> = /* @__PURE__ */ setOf(
  'branch database label namespace role schema tag rolle',
);
/** … but for these. */
export const TOGETHER: ReadonlySet<string> = /* @__PURE__ */ setOf(
  'backup category cluster column function group index list policy role rule schema set snapshot table template user view',
);
/** These are called by what they hold. */
export const OF_DATA: ReadonlySet<string> = /* @__PURE__ */ setOf(
  'bucket collection column database dataset folder index queue relation schema table topic tabelle',
);

/** With the word before it, such a word is what something is called, and nobody's name. */
export const NO_NAME: ReadonlySet<string> = /* @__PURE__ */ setOf(
  `access activity admin administrator alias alert analysis approval approver argument assignment association attachment attendee
  attribute avatar base binding body cache caption cell change channel check choice code color comparison config
  configuration connection connector constraint container content count creation creative credential credit criteria data
  date definition deletion description detail detection details editor email entry enum env export extension
  feature field filter folder footer format grant handle handler header hierarchy history icon id identifier image import
  info information input instance integer intent interface invite item join key kind layer layout level license limit line
  link lock log login logo maintainer manager manifest mapping match membership message metadata method migration mode
  moderator module monitor name node number object operation operator option order output owner parameter parser part
  partition password path pattern permission phone posting picture pin position preference prefix preview price privilege profile
  property protection provider quota range rate record reference registration registry relation renewal request resource
  response restriction result revision row rule scope secret security selection selector server service session setting
  settings size slot slug sort source standard state statistic stats status step store string structure subscription suffix
  sync target task term text thread time timeout title token total transfer trigger type update uri url usage value
  variable variant version viewer widget`,
);
