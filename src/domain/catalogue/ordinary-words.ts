/** Function words of English: they hold a question together. */
const FUNCTION_WORDS = wordsIn(`
  a about after all also am an and any are as at be because been before being between both but by can cannot could did do does
  doing done during each either else ever every for from get gets getting had has have having he her here him his how i if in
  instead into is it its just like many may me might more most much must my neither no nor not of off on once one only or other
  our out over own per same shall she should since so some such than that the their them then there these they this those
  through to too two under until up upon us use used uses using versus very via vs was way we were what when where whether
  which while who whom whose why will with within without would yes yet you your
`);

/** The most common verbs, nouns and adjectives of English and of documentation of software. */
const COMMON = wordsIn(`
  abort accept access account act action active add address advanced agent alias align allow anchor animation answer app append
  application apply architecture archive area argument arguments array ask assert assign async attach attribute audio auth
  author auto avoid await back background backup bar base basic batch begin best big bin binary bind bit black blank block blog
  blue board body book boot border bottom box branch break bridge broken browser bucket buffer bug build builder bulk bundle
  button byte cache calculate calendar call callback camera cancel canvas capture card case cast catch cell center certificate
  chain change changelog channel char character chart chat check child choose chunk circle class classic clean clear click
  client clock clone close cloud cluster code collect collection color column combine command comment commit common community
  compare compat compile compiler complete component compose compress compute concept concurrent condition config configuration
  configure connect connection console constant container content context control convert cookie copy core count counter cover
  crash create cron current cursor custom cut cycle daemon dark dashboard data database date day deal debug decode default
  define delete deploy depend dependency deprecated design desktop detect dev develop developer device dialog dictionary diff
  digest dir direct directory disable disk display distance divide doc docs document documentation domain dot down download
  draft drag draw driver drop dump duplicate dynamic easy echo edge edit editor effect element email emit empty enable encode
  encrypt end engine entry enum environment error escape estimate event events exact example examples exception exchange execute
  exit expand expect export express expression extend extension external extra fact fail failed failure fake false family fast
  fatal feature features feed fetch field fields file files fill filter final find fire first fix flag flat flow flush focus
  folder follow font force foreign fork form format forward found foundation frame framework free frequency fresh front full
  function functions future game gate gateway general generate generator glob global go good grant graph graphics great green
  grid group guard guide hack half hand handle handler handbook hang hash head header heap height hello help hex hidden hide
  high history hold home hook horizontal host hot hour html http icon id ignore image images implement import improve include
  index infinite info init initialize inject inline input insert inspect install instance int integer interactive interface
  internal interval introduction invalid invoke issue item iterate job join json jump keep kernel key keyboard keys keyword kill
  kind know label lambda language large last latest launch layer layout lazy lead leak learn leave left length less let level
  library license lift light limit line link lint list listen live load local locale lock log logger logging login logs long look
  loop low machine macro mail main make manage manager manual map mark mask master match math matrix max mean measure media
  memory menu merge mesh message meta method metric metrics middle migrate migration min minimal minute mirror miss missing mix
  mixed mobile mock mode model modern modify module monitor month mount mouse move multi multiple name native navigate nested
  net network new next nice night node none normal note notes notice notify now null number numbers object old open operator
  option optional options order origin output override overview overwrite pack package packages page pages panel panic paper
  parallel parameter parameters parent parse parser part partial pass password past paste patch path pattern pause peer people
  perform performance permission persist phone photo pick picture piece pin ping pipe pipeline pixel place plain plan platform
  play player please plot plugin plugins point pointer policy poll pool pop port position post power prefix prepare present
  press pretty prevent preview previous price print private problem process produce profile program programming progress project
  projects promise prompt property protect protocol provide proxy public publish pull pure purge push put quality query question
  queue quick quickstart quiet quit quote race random range rank rate raw react read reader readme ready real reason rebuild
  receive record records recover recursive red redirect reduce ref reference refresh regex register registry reject relation
  release releases reload remote remove rename render repeat replace reply report repository request requests require required
  reset resize resolve resource response rest restart restore restrict result results resume retry return reverse review right
  ring role roll room root rotate round route router row rule rules run runner runtime safe sample save scale scan schedule
  schema scope score screen script scroll search second secret section secure security see seed segment select self semantic
  send separate sequence serial server service services session set settings setup shadow shape share shared sharp shell shift
  ship short shot show shut shutdown side sign signal silent simple single site size skip sleep slice slide slot slow small smart
  snapshot socket solid solution solve sort sound source space spark special speed spell spider spin split spring sql square ssh
  stable stack stage standard start state static stats status step stick stop storage store story stream streams strict string
  strings strip strong struct structure style sub submit subscribe success suite sum support suppress surface swap switch symbol
  sync syntax system tab table tables tag tags tail take talk target task tasks team tell template terminal test testing tests
  text theme thing think thread threads throw ticket tick tile time timeout timer times tip title token tool tools top touch
  trace track traffic train transaction transfer transform translate trap tree trigger trim trouble true truncate trust try tune
  turn tutorial type types ui undefined undo union unique unit unknown unlock unpack unset unsupported update upgrade upload url
  user users utility utils valid validate validation value values variable variables vector verbose verify version versions
  vertical video view views virtual visible visit visual void volume wait walk want warn warning warnings watch wave web week
  welcome white wide width wiki wild window windows wire word words work worker workflow world wrap wrapper write wrong xml yaml
  year zero zip zone zoom
`);

/** Endings of further forms of a word. */
const ENDINGS = [/s$/, /es$/, /d$/, /ed$/, /ing$/];

/** Returns whether a word, in lower case, is one of everyday sentences on software, so that it names nothing by itself. */
export function isOrdinary(word: string): boolean {
  const forms = [word, ...ENDINGS.map((ending) => word.replace(ending, '')), word.replace(/ing$/, 'e')];
  return forms.some((form) => FUNCTION_WORDS.has(form) || COMMON.has(form));
}

/** Returns whether a word, in lower case, says nothing by itself: `how`, `to`, `the`. */
export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}

/** Returns whether a word, in lower case, tells what somebody looks for: it is no article, preposition or the like. */
export function isTelling(word: string): boolean {
  return !isFunctionWord(word) && (/\p{L}/u.test(word) || /^\d{3,}$/.test(word));
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
