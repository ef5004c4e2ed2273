import { fill, type Language, type Words } from '../../../languages/words.ts'
import { formatNumber } from '../format.ts'

interface Speech {
  words: Words
  language: Language
}

type Failure = keyof Words['failures']

const BYTES_IN_MB = 1024 * 1024

/** What the server says of sources that failed, and can be said in every language. A test holds them against its code. */
export const FAILURES: [said: RegExp, failure: Failure][] = [
  [/^There is no such page \((\d+)\)\.$/, 'noSuchPage'],
  [/^The site asks for a password \(401\), which this server does not have\.$/, 'asksPassword'],
  [/^The site does not let this server read the page \(403\)\.$/, 'forbidden'],
  [/^The site says that it is asked too often \(429\)\.$/, 'askedTooOften'],
  [/^The site has trouble of its own \((\d+)\)\.$/, 'siteTrouble'],
  [/^The site answered (\d+)\.$/, 'siteAnswered'],
  [/^It took too long to answer\.$/, 'tookTooLong'],
  [/^The connection failed\.$/, 'connectionFailed'],
  [/^The site’s certificate is not valid \((\w+)\)\.$/, 'certificate'],
  [/^The host name (\S+) was not found\.$/, 'hostNotFound'],
  [/^It leads to this server itself, which does not fetch its own pages\.$/, 'ownAddress'],
  [/^It leads to a private or special address, which this server/, 'privateAddress'],
  [/^It redirects more than (\d+) times\.$/, 'redirects'],
  [/^It leads away from the site\.$/, 'leadsAway'],
  [/^It leads to a sign-in page now \((\S+)\), /, 'signIn'],
  [/^It leads elsewhere now \((\S+)\), /, 'deadEnd'],
  [/^It is larger than (\d+) bytes\.$/, 'tooLarge'],
  [/^The site’s robots\.txt asks programs such as this one not to read the page\./, 'robots'],
  [/^The page asks not to be found \(“noindex”\)\./, 'noindex'],
  [/^Its content \((.+)\) can't be read\.$/, 'contentType'],
  [/^This type of file can’t be read\.$/, 'fileType'],
  [/^There is no text in it\.$/, 'noText'],
  [/^The page is empty until its scripts have run, and this server runs none\./, 'needsScripts'],
  [/^It is damaged and can’t be read as PDF\./, 'pdfDamaged'],
  [/^It is protected with a password\./, 'locked'],
  [/^It is password-protected\./, 'locked'],
  [/^It has no text layer: its pages are pictures, such as a scan\./, 'scanned'],
  [/^The file is damaged or cut off\./, 'damaged'],
  [/^It holds more than (\d+) million characters of text\./, 'tooMuchText'],
  [/^Reading it took too long\. Try it in smaller parts\.$/, 'readingTooLong'],
  [/^Reading it needed too much memory\. Try it in smaller parts\.$/, 'readingTooLarge'],
  [/^There is no text on the pages of the site\.$/, 'noTextOnSite'],
  [/^The host name (\S+) could not be looked up, as no DNS server answers/, 'dnsSilent'],
  [/^Port (\d+) is no port of web servers\.$/, 'noWebPort'],
  [/^It leads on from page to page without an end\.$/, 'endless'],
  [/^It could not be read\.$/, 'notRead'],
  [/^The page is empty, also after its scripts have run\./, 'emptyWithScripts'],
  [/^The page is empty until its scripts have run, and they take too long\./, 'scriptsTooLong'],
  [/^The page is empty until its scripts have run, and they need too much/, 'scriptsTooLarge'],
  [/^The page is empty until its scripts have run, and the browser of this/, 'browserFailed'],
  [/^After its scripts have run, it is larger than (\d+) characters\.$/, 'tooLarge'],
  [/^It has no text layer: its pages are pictures, and no text was/, 'nothingRecognised'],
  [/^Its pages are pictures, and tesseract could not read them\./, 'notRecognised'],
  [/^More than (\d+) of its pages are pictures without a text layer\./, 'tooManyScans'],
  [/^It is of an Office before 2007\./, 'oldOffice'],
  [/^It could not be converted\./, 'notConverted'],
  [/^It is damaged and can’t be read\.$/, 'damaged'],
  [/^The book is copy-protected \(DRM\) and can’t be read\.$/, 'copyProtected'],
  [/^It unpacks to far more than it holds, so it was not read\.$/, 'unpacksTooLarge'],
  [/^It holds too much text for one source\. Try it in parts\.$/, 'tooMuchForOne'],
  [/^It could not be taken in\.$/, 'notTakenIn'],
  [/^It was given up after (\d+) attempts that never ended\.$/, 'neverEnded'],
]
// Before and behind one of these.
export const FIRST_PAGE = /^No page could be read\. The first one: (.+)$/
export const TRIED = / It was tried (\d+) times\.$/
export const LATER = / Try it again later\.$/
export const WHEN = / The site asks to be tried again in (\d+) (second|minute)s\.$/

/** Why a source failed, in the reader's language; in the server's own words where there are no others. */
export function failureOf(said: string, speech: Speech): string {
  return translate(said, speech) ?? said
}

function translate(said: string, speech: Speech): string | undefined {
  const { failures, reasons } = speech.words
  const behind = (end: RegExp, more: (match: RegExpExecArray) => string) => {
    const match = end.exec(said)
    const before = match && translate(said.slice(0, match.index), speech)
    return match && before && `${before} ${more(match)}`
  }
  const first = FIRST_PAGE.exec(said)
  if (first) {
    const what = translate(first[1]!, speech)
    return what && fill(failures.noPage, { what })
  }
  return (
    behind(LATER, () => reasons.tryAgainLater) ??
    behind(WHEN, ([, count, unit]) => {
      const format = new Intl.RelativeTimeFormat(speech.language)
      const when = format.format(Number(count), unit as 'second' | 'minute')
      return fill(reasons.tryAgainWhen, { when })
    }) ??
    behind(TRIED, ([, what]) => fill(failures.tried, { what: what! })) ??
    translateAlone(said, speech)
  )
}

function translateAlone(said: string, { words, language }: Speech): string | undefined {
  for (const [sentence, failure] of FAILURES) {
    const match = sentence.exec(said)
    if (!match) continue
    const what = match[1] ?? ''
    const megabytes = Math.round(Number(what) / BYTES_IN_MB)
    return fill(words.failures[failure], {
      what: failure === 'tooLarge' ? formatNumber(megabytes, language) : what,
    })
  }
  return undefined
}
