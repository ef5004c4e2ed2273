/** Why a source failed. The server uses the English sentences in its responses and logs. */
export const failures = {
  answer_too_slow: 'It took too long to answer.',
  asked_too_often: 'The site says that it is asked too often (429).',
  asks_password: 'The site asks for a password (401), which this server does not have.',
  browser_failed:
    'The page is empty until its scripts have run, and the browser of this server failed, which its operator can find in the log. Add its text as a file instead.',
  certificate_invalid: 'The site’s certificate is not valid ({reason}).',
  connection_failed: 'The connection failed.',
  content_type: 'Its content ({type}) cannot be read.',
  content_type_unknown: 'Its content (of an unknown type) cannot be read.',
  copy_protected: 'The book is copy-protected (DRM) and cannot be read.',
  damaged: 'The file is damaged or cut off. Save it again and upload it anew.',
  declares_entities:
    'It declares entities of its own, which is not safe to read. Save it without them.',
  dns_silent: 'The host name {host} could not be looked up, as no DNS server answers this one.',
  empty_with_scripts:
    'The page is empty, also after its scripts have run. Add its text as a file instead.',
  endless_redirects: 'It leads on from page to page without an end.',
  file_type: 'This type of file cannot be read.',
  host_not_found: 'The host name {host} was not found.',
  leads_away: 'It leads away from the site.',
  leads_elsewhere:
    'It leads elsewhere now ({address}), to a page from which no other is reached. What was read before is kept. If the site has moved, add its new address instead.',
  leads_to_sign_in:
    'It leads to a sign-in page now ({address}), which this server cannot get past. What was read before is kept. Add the text as a file, or ask the site’s owner to open the page again.',
  locked: 'It is protected with a password. Save a copy without a password, and upload that one.',
  needs_scripts:
    'The page is empty until its scripts have run, and this server runs none. Add its text as a file instead, or ask the operator to install Chromium.',
  nested_too_deep: 'It is nested more than {most} levels deep.',
  never_ended: 'It was given up after {attempts} attempts that never ended.',
  no_contents: 'The book does not say what is in it.',
  no_page_read: 'No page could be read. The first one: {first}',
  no_such_page: 'There is no such page ({status}).',
  no_text: 'There is no text in it.',
  no_text_on_site: 'There is no text on the pages of the site.',
  no_web_port: 'Port {port} is no port of web servers.',
  noindex:
    'The page asks not to be found (“noindex”). Add its text as a file, or ask the site’s owner to allow “Docent” there.',
  not_converted: 'It could not be converted. Save it as .docx, .xlsx or .pptx and upload that.',
  not_read: 'It could not be read.',
  not_taken_in: 'It could not be taken in.',
  not_url: 'That is not a URL.',
  not_web_address: 'Only http and https URLs can be fetched.',
  nothing_recognized:
    'It has no text layer: its pages are pictures, and no text was recognised in them. A sharper scan may help, or another language in OCR_LANGUAGES.',
  old_office:
    'It is of an Office before 2007. Save it as .docx, .xlsx or .pptx and upload that, or ask for LibreOffice to be installed beside this server.',
  own_address: 'It leads to this server itself, which does not fetch its own pages.',
  page_too_large: 'It is larger than {megabytes} MB.',
  pdf_damaged:
    'It is damaged and cannot be read as PDF. Open it in a PDF reader, save or print it as a new PDF, and upload that.',
  private_address:
    'It leads to a private or special address, which this server does not fetch. The operator can allow a host with ALLOW_PRIVATE_HOSTS.',
  reading_too_large: 'Reading it needed too much memory. Try it in smaller parts.',
  reading_too_long: 'Reading it took too long. Try it in smaller parts.',
  recognition_failed:
    'Its pages are pictures, and tesseract could not read them. Its data for the languages in OCR_LANGUAGES may not be installed.',
  robots:
    'The site’s robots.txt asks programs such as this one not to read the page. Add its text as a file, or ask the site’s owner to allow “Docent” there.',
  scanned:
    'It has no text layer: its pages are pictures, such as a scan. Run text recognition (OCR) over it, and upload the result, or ask for tesseract to be installed beside this server.',
  scripts_too_large:
    'The page is empty until its scripts have run, and they need too much memory. Add its text as a file instead.',
  scripts_too_long:
    'The page is empty until its scripts have run, and they take too long. Add its text as a file instead.',
  site_answered: 'The site answered {status}.',
  site_forbids: 'The site does not let this server read the page (403).',
  site_trouble: 'The site has trouble of its own ({status}).',
  too_many_parts: 'It is an archive of more than {most} parts.',
  too_many_redirects: 'It redirects more than {most} times.',
  too_many_scans:
    'More than {most} of its pages are pictures without a text layer. Try it in smaller parts.',
  too_much_for_one: 'It holds too much text for one source. Try it in parts.',
  too_much_text:
    'It holds more than {millions} million characters of text. Try it in smaller parts.',
  unpacks_too_large: 'It unpacks to far more than it holds, so it was not read.',
  // Appended to any of the sentences above.
  tried: 'It was tried {tried} times.',
  again_later: 'Try it again later.',
  again_seconds: 'The site asks to be tried again {when}.',
} as const
