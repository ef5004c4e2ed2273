import type { Words } from '../words.ts'

export const failures: Words['failures'] = {
  answer_too_slow: 'Die Antwort hat zu lange gedauert.',
  asked_too_often: 'Die Website sagt, dass sie zu oft gefragt wird (429).',
  asks_password: 'Die Website verlangt ein Passwort (401), das dieser Server nicht hat.',
  browser_failed:
    'Die Seite ist leer, bis ihre Skripte gelaufen sind, und der Browser dieses Servers ist gescheitert; warum, findet der Betreiber im Protokoll. Fügen Sie ihren Text als Datei hinzu.',
  certificate_invalid: 'Das Zertifikat der Website ist nicht gültig ({reason}).',
  connection_failed: 'Die Verbindung ist gescheitert.',
  content_type: 'Der Inhalt ({type}) kann nicht gelesen werden.',
  content_type_unknown: 'Der Inhalt (von unbekannter Art) kann nicht gelesen werden.',
  copy_protected: 'Das Buch ist kopiergeschützt (DRM) und kann nicht gelesen werden.',
  damaged:
    'Die Datei ist beschädigt oder abgeschnitten. Speichern Sie sie noch einmal und laden Sie sie neu hoch.',
  declares_entities:
    'Die Datei legt eigene Entitäten fest, die zu lesen nicht sicher ist. Speichern Sie sie ohne diese.',
  dns_silent:
    'Der Hostname {host} konnte nicht nachgeschlagen werden, da diesem Server kein DNS-Server antwortet.',
  empty_with_scripts:
    'Die Seite ist leer, auch nachdem ihre Skripte gelaufen sind. Fügen Sie ihren Text als Datei hinzu.',
  endless_redirects: 'Es führt ohne Ende von Seite zu Seite.',
  file_type: 'Dateien dieser Art können nicht gelesen werden.',
  host_not_found: 'Der Hostname {host} wurde nicht gefunden.',
  leads_away: 'Es führt von der Website weg.',
  leads_elsewhere:
    'Es führt jetzt anderswohin ({address}), zu einer Seite, von der aus keine andere erreicht wird. Was zuvor gelesen wurde, bleibt. Ist die Website umgezogen, fügen Sie stattdessen ihre neue Adresse hinzu.',
  leads_to_sign_in:
    'Es führt jetzt zu einer Anmeldeseite ({address}), an der dieser Server nicht vorbeikommt. Was zuvor gelesen wurde, bleibt. Fügen Sie den Text als Datei hinzu, oder bitten Sie den Betreiber der Website, die Seite wieder zu öffnen.',
  locked:
    'Die Datei ist mit einem Passwort geschützt. Speichern Sie eine Kopie ohne Passwort und laden Sie diese hoch.',
  needs_scripts:
    'Die Seite ist leer, bis ihre Skripte gelaufen sind, und dieser Server führt keine aus. Fügen Sie ihren Text als Datei hinzu, oder bitten Sie den Betreiber, Chromium zu installieren.',
  nested_too_deep: 'Es ist mehr als {most} Ebenen tief verschachtelt.',
  never_ended: 'Nach {attempts} Versuchen, die nie endeten, wurde es aufgegeben.',
  no_contents: 'Das Buch gibt nicht an, was darin ist.',
  no_page_read: 'Keine Seite konnte gelesen werden. Die erste: {first}',
  no_such_page: 'Diese Seite gibt es nicht ({status}).',
  no_text: 'Darin ist kein Text.',
  no_text_on_site: 'Auf den Seiten der Website ist kein Text.',
  no_web_port: 'Port {port} ist kein Port von Webservern.',
  noindex:
    'Die Seite möchte nicht gefunden werden („noindex“). Fügen Sie ihren Text als Datei hinzu, oder bitten Sie den Inhaber der Website, „Docent“ dort zu erlauben.',
  not_converted:
    'Die Datei konnte nicht umgewandelt werden. Speichern Sie sie als .docx, .xlsx oder .pptx und laden Sie diese hoch.',
  not_read: 'Es konnte nicht gelesen werden.',
  not_taken_in: 'Es konnte nicht aufgenommen werden.',
  not_url: 'Das ist keine URL.',
  not_web_address: 'Nur http- und https-Adressen können abgerufen werden.',
  nothing_recognized:
    'Die Datei enthält keinen Text: Ihre Seiten sind Bilder, und darin wurde kein Text erkannt. Ein schärferer Scan kann helfen, oder eine weitere Sprache in OCR_LANGUAGES.',
  old_office:
    'Die Datei stammt aus einem Office vor 2007. Speichern Sie sie als .docx, .xlsx oder .pptx und laden Sie diese hoch, oder bitten Sie darum, LibreOffice neben diesem Server zu installieren.',
  own_address: 'Es führt zu diesem Server selbst, der seine eigenen Seiten nicht abruft.',
  page_too_large: 'Es ist größer als {megabytes} MB.',
  pdf_damaged:
    'Die Datei ist beschädigt und kann nicht als PDF gelesen werden. Öffnen Sie sie in einem PDF-Programm, speichern oder drucken Sie sie als neues PDF und laden Sie dieses hoch.',
  private_address:
    'Es führt zu einer privaten oder besonderen Adresse, die dieser Server nicht abruft. Der Betreiber kann einen Host mit ALLOW_PRIVATE_HOSTS erlauben.',
  reading_too_large: 'Das Lesen brauchte zu viel Speicher. Versuchen Sie es in kleineren Teilen.',
  reading_too_long: 'Das Lesen hat zu lange gedauert. Versuchen Sie es in kleineren Teilen.',
  recognition_failed:
    'Die Seiten sind Bilder, und tesseract konnte sie nicht lesen. Vielleicht sind seine Daten für die Sprachen in OCR_LANGUAGES nicht installiert.',
  robots:
    'Die robots.txt der Website bittet Programme wie dieses, die Seite nicht zu lesen. Fügen Sie ihren Text als Datei hinzu, oder bitten Sie den Inhaber der Website, „Docent“ dort zu erlauben.',
  scanned:
    'Die Datei enthält keinen Text: Ihre Seiten sind Bilder, etwa ein Scan. Lassen Sie eine Texterkennung (OCR) darüber laufen und laden Sie das Ergebnis hoch, oder bitten Sie darum, tesseract neben diesem Server zu installieren.',
  scripts_too_large:
    'Die Seite ist leer, bis ihre Skripte gelaufen sind, und diese brauchen zu viel Speicher. Fügen Sie ihren Text als Datei hinzu.',
  scripts_too_long:
    'Die Seite ist leer, bis ihre Skripte gelaufen sind, und diese brauchen zu lange. Fügen Sie ihren Text als Datei hinzu.',
  site_answered: 'Die Website antwortete mit {status}.',
  site_forbids: 'Die Website lässt diesen Server die Seite nicht lesen (403).',
  site_trouble: 'Die Website hat selbst eine Störung ({status}).',
  too_many_parts: 'Es ist ein Archiv mit mehr als {most} Teilen.',
  too_many_redirects: 'Es wird mehr als {most} Mal weitergeleitet.',
  too_many_scans:
    'Mehr als {most} der Seiten sind Bilder ohne Text. Versuchen Sie es in kleineren Teilen.',
  too_much_for_one: 'Es enthält zu viel Text für eine Quelle. Versuchen Sie es in Teilen.',
  too_much_text:
    'Es enthält mehr als {millions} Millionen Zeichen Text. Versuchen Sie es in kleineren Teilen.',
  unpacks_too_large:
    'Entpackt ist die Datei weit größer, als sie sein dürfte; sie wurde deshalb nicht gelesen.',
  // Appended to any of the sentences above.
  tried: 'Es wurde {tried} Mal versucht.',
  again_later: 'Versuchen Sie es später noch einmal.',
  again_seconds: 'Die Website bittet darum, es {when} noch einmal zu versuchen.',
}
