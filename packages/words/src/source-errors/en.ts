/** Why a source failed. The server uses the English sentences in its responses and logs. */
export const failures = {
  answer_too_slow: 'The site took too long to respond.',
  asked_too_often: 'The site limits how often it can be requested (429).',
  asks_password:
    'The site requires a password (401), which this server does not have. Add the text as a file instead.',
  browser_failed:
    'The page needs JavaScript, and the browser on this server failed. Add the text as a file instead, or ask the operator to check the server log.',
  certificate_invalid: 'The site’s certificate is not valid ({reason}).',
  connection_failed: 'The connection to the site failed.',
  content_type: 'The content type {type} is not supported.',
  content_type_unknown: 'The content type of the page is unknown.',
  copy_protected: 'The book is copy-protected (DRM) and cannot be read.',
  damaged: 'The file is damaged or incomplete. Save it again and upload the new file.',
  declares_entities:
    'The file declares XML entities, which are not safe to read. Save it without them.',
  dns_silent: 'The host name {host} could not be looked up because no DNS server responds.',
  empty_with_scripts:
    'The page is empty, even after its scripts have run. Add its text as a file instead.',
  endless_redirects: 'The page redirects without end.',
  file_type: 'This file type is not supported.',
  host_not_found: 'The host name {host} was not found.',
  leads_away: 'The page redirects to another site.',
  leads_elsewhere:
    'The site now redirects to a page without links ({address}). Docent keeps the passages from before. If the site has moved, add its new address instead.',
  leads_to_sign_in:
    'The site now redirects to a sign-in page ({address}). Docent keeps the passages from before. Add the text as a file, or ask the site’s owner to open the page again.',
  locked: 'The file is protected with a password. Save a copy without a password and upload that.',
  needs_scripts:
    'The page needs JavaScript, which this server does not run. Add its text as a file instead, or ask the operator to install Chromium.',
  nested_too_deep: 'The content is nested more than {most} levels deep.',
  never_ended: 'Docent gave up after {attempts} attempts that did not finish.',
  no_contents: 'The book does not list its content and cannot be read.',
  no_page_read: 'No page could be read. The first error: {first}',
  no_such_page: 'The page does not exist ({status}).',
  no_text: 'No text was found.',
  no_text_on_site: 'No text was found on the pages of the site.',
  no_web_port: 'Port {port} is not a port of web servers.',
  noindex:
    'The page asks not to be indexed (“noindex”). Add its text as a file, or ask the site’s owner to allow “Docent”.',
  not_converted:
    'The file could not be converted. Save it as .docx, .xlsx, or .pptx and upload that.',
  not_read: 'The page could not be read.',
  not_taken_in: 'The source could not be processed.',
  not_url: 'This is not a valid URL.',
  not_web_address: 'Only http and https URLs are supported.',
  nothing_recognized:
    'The pages are images, and no text was recognized in them. Try a sharper scan, or add a language to OCR_LANGUAGES.',
  old_office:
    'The file format is older than Office 2007. Save it as .docx, .xlsx, or .pptx and upload that, or ask the operator to install LibreOffice.',
  own_address: 'The address points to this server, which does not read its own pages.',
  page_too_large: 'The page is larger than {megabytes} MB.',
  pdf_damaged:
    'The PDF is damaged and cannot be read. Open it in a PDF reader, save or print it as a new PDF, and upload that.',
  private_address:
    'The address is private or reserved, and this server does not connect to it. The operator can allow a host with ALLOW_PRIVATE_HOSTS.',
  reading_too_large: 'Reading this needs too much memory. Split it into smaller parts.',
  reading_too_long: 'Reading this takes too long. Split it into smaller parts.',
  recognition_failed:
    'The pages are images, and tesseract could not read them. Ask the operator to install its data for the languages in OCR_LANGUAGES.',
  robots:
    'The site’s robots.txt does not allow this page to be read. Add its text as a file, or ask the site’s owner to allow “Docent”.',
  scanned:
    'The pages are images without text, such as a scan. Run text recognition (OCR) and upload the result, or ask the operator to install tesseract.',
  scripts_too_large: 'The page’s scripts need too much memory. Add its text as a file instead.',
  scripts_too_long: 'The page’s scripts take too long. Add its text as a file instead.',
  site_answered: 'The site responded with status {status}.',
  site_forbids: 'The site does not allow this server to read the page (403).',
  site_trouble: 'The site has a server error ({status}).',
  too_many_parts: 'The archive has more than {most} entries.',
  too_many_redirects: 'The page redirects more than {most} times.',
  too_many_scans:
    'More than {most} pages are images without text. Split the file into smaller parts.',
  too_much_for_one: 'The text is too long for one source. Split it into several sources.',
  too_much_text:
    'The text is longer than {millions} million characters. Split it into smaller parts.',
  unpacks_too_large: 'The file is far too large when unpacked, so it was not read.',
  // Appended to any of the sentences above.
  tried: 'Docent tried {tried} times.',
  again_later: 'Try again later.',
  again_seconds: 'The site asks for the next attempt {when}.',
} as const
