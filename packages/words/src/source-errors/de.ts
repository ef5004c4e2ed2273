import type { Words } from '../words.ts'

export const failures: Words['failures'] = {
  answer_too_slow: 'Die Website hat zu langsam geantwortet.',
  asked_too_often: 'Die Website begrenzt, wie oft sie abgerufen werden darf (429).',
  asks_password:
    'Die Website verlangt ein Passwort (401), das dieser Server nicht hat. Fügen Sie den Text stattdessen als Datei hinzu.',
  browser_failed:
    'Die Seite benötigt JavaScript, und der Browser auf diesem Server ist ausgefallen. Fügen Sie den Text als Datei hinzu, oder bitten Sie den Betreiber, das Serverprotokoll zu prüfen.',
  certificate_invalid: 'Das Zertifikat der Website ist ungültig ({reason}).',
  connection_failed: 'Die Verbindung zur Website ist fehlgeschlagen.',
  content_type: 'Der Inhaltstyp {type} wird nicht unterstützt.',
  content_type_unknown: 'Der Inhaltstyp der Seite ist unbekannt.',
  copy_protected: 'Das Buch ist kopiergeschützt (DRM) und kann nicht gelesen werden.',
  damaged:
    'Die Datei ist beschädigt oder unvollständig. Speichern Sie sie erneut und laden Sie die neue Datei hoch.',
  declares_entities:
    'Die Datei definiert XML-Entitäten, die nicht sicher gelesen werden können. Speichern Sie sie ohne diese.',
  dns_silent: 'Der Hostname {host} konnte nicht aufgelöst werden, weil kein DNS-Server antwortet.',
  empty_with_scripts:
    'Die Seite ist auch nach dem Ausführen ihrer Skripte leer. Fügen Sie ihren Text stattdessen als Datei hinzu.',
  endless_redirects: 'Die Seite leitet endlos weiter.',
  file_type: 'Dieser Dateityp wird nicht unterstützt.',
  host_not_found: 'Der Hostname {host} wurde nicht gefunden.',
  leads_away: 'Die Seite leitet auf eine andere Website weiter.',
  leads_elsewhere:
    'Die Website leitet jetzt auf eine Seite ohne Links weiter ({address}). Docent behält die bisherigen Textstellen. Ist die Website umgezogen, fügen Sie stattdessen ihre neue Adresse hinzu.',
  leads_to_sign_in:
    'Die Website leitet jetzt auf eine Anmeldeseite weiter ({address}). Docent behält die bisherigen Textstellen. Fügen Sie den Text als Datei hinzu, oder bitten Sie den Betreiber der Website, die Seite wieder freizugeben.',
  locked:
    'Die Datei ist mit einem Passwort geschützt. Speichern Sie eine Kopie ohne Passwort und laden Sie diese hoch.',
  needs_scripts:
    'Die Seite benötigt JavaScript, das dieser Server nicht ausführt. Fügen Sie ihren Text als Datei hinzu, oder bitten Sie den Betreiber, Chromium zu installieren.',
  nested_too_deep: 'Der Inhalt ist mehr als {most} Ebenen tief verschachtelt.',
  never_ended: 'Docent hat nach {attempts} Versuchen ohne Ergebnis aufgegeben.',
  no_contents: 'Das Buch führt seinen Inhalt nicht auf und kann nicht gelesen werden.',
  no_page_read: 'Keine Seite konnte gelesen werden. Der erste Fehler: {first}',
  no_such_page: 'Die Seite existiert nicht ({status}).',
  no_text: 'Es wurde kein Text gefunden.',
  no_text_on_site: 'Auf den Seiten der Website wurde kein Text gefunden.',
  no_web_port: 'Port {port} ist kein Port für Webserver.',
  noindex:
    'Die Seite soll nicht indiziert werden („noindex“). Fügen Sie ihren Text als Datei hinzu, oder bitten Sie den Betreiber der Website, „Docent“ zuzulassen.',
  not_converted:
    'Die Datei konnte nicht konvertiert werden. Speichern Sie sie als .docx, .xlsx oder .pptx und laden Sie diese Datei hoch.',
  not_read: 'Die Seite konnte nicht gelesen werden.',
  not_taken_in: 'Die Quelle konnte nicht verarbeitet werden.',
  not_url: 'Das ist keine gültige URL.',
  not_web_address: 'Nur URLs mit http und https werden unterstützt.',
  nothing_recognized:
    'Die Seiten sind Bilder, in denen kein Text erkannt wurde. Versuchen Sie es mit einem schärferen Scan oder einer weiteren Sprache in OCR_LANGUAGES.',
  old_office:
    'Das Dateiformat ist älter als Office 2007. Speichern Sie die Datei als .docx, .xlsx oder .pptx und laden Sie diese hoch, oder bitten Sie den Betreiber, LibreOffice zu installieren.',
  own_address: 'Die Adresse verweist auf diesen Server, der seine eigenen Seiten nicht liest.',
  page_too_large: 'Die Seite ist größer als {megabytes} MB.',
  pdf_damaged:
    'Die PDF-Datei ist beschädigt und kann nicht gelesen werden. Öffnen Sie sie in einem PDF-Programm, speichern oder drucken Sie sie als neue PDF-Datei und laden Sie diese hoch.',
  private_address:
    'Die Adresse ist privat oder reserviert, und dieser Server stellt keine Verbindung zu ihr her. Der Betreiber kann einen Host mit ALLOW_PRIVATE_HOSTS erlauben.',
  reading_too_large:
    'Zum Lesen wird zu viel Arbeitsspeicher benötigt. Teilen Sie den Inhalt in kleinere Teile auf.',
  reading_too_long: 'Das Lesen dauert zu lange. Teilen Sie den Inhalt in kleinere Teile auf.',
  recognition_failed:
    'Die Seiten sind Bilder, die tesseract nicht lesen konnte. Bitten Sie den Betreiber, die Daten für die Sprachen in OCR_LANGUAGES zu installieren.',
  robots:
    'Die robots.txt der Website erlaubt nicht, diese Seite zu lesen. Fügen Sie ihren Text als Datei hinzu, oder bitten Sie den Betreiber der Website, „Docent“ zuzulassen.',
  scanned:
    'Die Seiten sind Bilder ohne Text, zum Beispiel ein Scan. Führen Sie eine Texterkennung (OCR) durch und laden Sie das Ergebnis hoch, oder bitten Sie den Betreiber, tesseract zu installieren.',
  scripts_too_large:
    'Die Skripte der Seite benötigen zu viel Arbeitsspeicher. Fügen Sie ihren Text stattdessen als Datei hinzu.',
  scripts_too_long:
    'Die Skripte der Seite laufen zu lange. Fügen Sie ihren Text stattdessen als Datei hinzu.',
  site_answered: 'Die Website hat mit dem Status {status} geantwortet.',
  site_forbids: 'Die Website erlaubt diesem Server nicht, die Seite zu lesen (403).',
  site_trouble: 'Auf der Website ist ein Serverfehler aufgetreten ({status}).',
  too_many_parts: 'Das Archiv enthält mehr als {most} Einträge.',
  too_many_redirects: 'Die Seite leitet mehr als {most}-mal weiter.',
  too_many_scans:
    'Mehr als {most} Seiten sind Bilder ohne Text. Teilen Sie die Datei in kleinere Teile auf.',
  too_much_for_one: 'Der Text ist zu lang für eine Quelle. Teilen Sie ihn auf mehrere Quellen auf.',
  too_much_text:
    'Der Text ist länger als {millions} Millionen Zeichen. Teilen Sie ihn in kleinere Teile auf.',
  unpacks_too_large: 'Die Datei ist entpackt viel zu groß und wurde deshalb nicht gelesen.',
  // Appended to any of the sentences above.
  tried: 'Docent hat es {tried}-mal versucht.',
  again_later: 'Versuchen Sie es später erneut.',
  again_seconds: 'Die Website bittet um den nächsten Versuch {when}.',
}
