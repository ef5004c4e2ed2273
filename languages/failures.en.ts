/** Why a source could not be taken in, as the server says it in English. */
export const failures = {
  noSuchPage: 'There is no such page ({what}).',
  asksPassword: 'The site asks for a password (401), which this server does not have.',
  forbidden: 'The site does not let this server read the page (403).',
  askedTooOften: 'The site says that it is asked too often (429).',
  siteTrouble: 'The site has trouble of its own ({what}).',
  siteAnswered: 'The site answered {what}.',
  tookTooLong: 'It took too long to answer.',
  connectionFailed: 'The connection failed.',
  certificate: 'The site’s certificate is not valid ({what}).',
  hostNotFound: 'The host name {what} was not found.',
  ownAddress: 'It leads to this server itself, which does not fetch its own pages.',
  privateAddress:
    'It leads to a private or special address, which this server does not fetch. The operator can allow a host with ALLOW_PRIVATE_HOSTS.',
  redirects: 'It redirects more than {what} times.',
  leadsAway: 'It leads away from the site.',
  signIn:
    'It leads to a sign-in page now ({what}), which this server cannot get past. What was read before is kept. Add the text as a file, or ask the site’s owner to open the page again.',
  deadEnd:
    'It leads elsewhere now ({what}), to a page from which no other is reached. What was read before is kept. If the site has moved, add its new address instead.',
  tooLarge: 'It is larger than {what} MB.',
  robots:
    'The site’s robots.txt asks programs such as this one not to read the page. Add its text as a file, or ask the site’s owner to allow “Docent” there.',
  noindex:
    'The page asks not to be found (“noindex”). Add its text as a file, or ask the site’s owner to allow “Docent” there.',
  contentType: 'Its content ({what}) cannot be read.',
  fileType: 'This type of file cannot be read.',
  noText: 'There is no text in it.',
  needsScripts:
    'The page is empty until its scripts have run, and this server runs none. Add its text as a file instead, or ask the operator to install Chromium.',
  pdfDamaged:
    'It is damaged and cannot be read as PDF. Open it in a PDF reader, save or print it as a new PDF, and upload that.',
  locked: 'It is protected with a password. Save a copy without a password, and upload that one.',
  scanned:
    'It has no text layer: its pages are pictures, such as a scan. Run text recognition (OCR) over it, and upload the result, or ask for tesseract to be installed beside this server.',
  damaged: 'The file is damaged or cut off. Save it again and upload it anew.',
  tooMuchText: 'It holds more than {what} million characters of text. Try it in smaller parts.',
  readingTooLong: 'Reading it took too long. Try it in smaller parts.',
  readingTooLarge: 'Reading it needed too much memory. Try it in smaller parts.',
  noTextOnSite: 'There is no text on the pages of the site.',
  dnsSilent: 'The host name {what} could not be looked up, as no DNS server answers this one.',
  noWebPort: 'Port {what} is no port of web servers.',
  endless: 'It leads on from page to page without an end.',
  notRead: 'It could not be read.',
  emptyWithScripts:
    'The page is empty, also after its scripts have run. Add its text as a file instead.',
  scriptsTooLong:
    'The page is empty until its scripts have run, and they take too long. Add its text as a file instead.',
  scriptsTooLarge:
    'The page is empty until its scripts have run, and they need too much memory. Add its text as a file instead.',
  browserFailed:
    'The page is empty until its scripts have run, and the browser of this server failed, which its operator can find in the log. Add its text as a file instead.',
  nothingRecognised:
    'It has no text layer: its pages are pictures, and no text was recognised in them. A sharper scan may help, or another language in OCR_LANGUAGES.',
  notRecognised:
    'Its pages are pictures, and tesseract could not read them. Its data for the languages in OCR_LANGUAGES may not be installed.',
  tooManyScans:
    'More than {what} of its pages are pictures without a text layer. Try it in smaller parts.',
  oldOffice:
    'It is of an Office before 2007. Save it as .docx, .xlsx or .pptx and upload that, or ask for LibreOffice to be installed beside this server.',
  notConverted: 'It could not be converted. Save it as .docx, .xlsx or .pptx and upload that.',
  copyProtected: 'The book is copy-protected (DRM) and cannot be read.',
  unpacksTooLarge: 'It unpacks to far more than it holds, so it was not read.',
  tooMuchForOne: 'It holds too much text for one source. Try it in parts.',
  notTakenIn: 'It could not be taken in.',
  neverEnded: 'It was given up after {what} attempts that never ended.',
  noPage: 'No page could be read. The first one: {what}',
  tried: 'It was tried {what} times.',
} as const
