import type { Words } from './words.ts'

export const failures: Words['failures'] = {
  noSuchPage: 'Diese Seite gibt es nicht ({what}).',
  asksPassword: 'Die Website verlangt ein Passwort (401), das dieser Server nicht hat.',
  forbidden: 'Die Website lässt diesen Server die Seite nicht lesen (403).',
  askedTooOften: 'Die Website sagt, dass sie zu oft gefragt wird (429).',
  siteTrouble: 'Die Website hat selbst eine Störung ({what}).',
  siteAnswered: 'Die Website antwortete mit {what}.',
  tookTooLong: 'Die Antwort hat zu lange gedauert.',
  connectionFailed: 'Die Verbindung ist gescheitert.',
  hostNotFound: 'Der Hostname {what} wurde nicht gefunden.',
  privateAddress:
    'Es führt zu einer privaten oder besonderen Adresse, die dieser Server nicht abruft. Der Betreiber kann einen Host mit ALLOW_PRIVATE_HOSTS erlauben.',
  redirects: 'Es wird mehr als {what} Mal weitergeleitet.',
  leadsAway: 'Es führt von der Website weg.',
  tooLarge: 'Es ist größer als {what} MB.',
  robots:
    'Die robots.txt der Website bittet Programme wie dieses, die Seite nicht zu lesen. Fügen Sie ihren Text als Datei hinzu, oder bitten Sie den Inhaber der Website, „Docent“ dort zu erlauben.',
  noindex:
    'Die Seite möchte nicht gefunden werden („noindex“). Fügen Sie ihren Text als Datei hinzu, oder bitten Sie den Inhaber der Website, „Docent“ dort zu erlauben.',
  contentType: 'Der Inhalt ({what}) kann nicht gelesen werden.',
  fileType: 'Dateien dieser Art können nicht gelesen werden.',
  noText: 'Darin ist kein Text.',
  needsScripts:
    'Die Seite ist leer, bis ihre Skripte gelaufen sind, und dieser Server führt keine aus. Fügen Sie ihren Text als Datei hinzu, oder bitten Sie den Betreiber, Chromium zu installieren.',
  pdfDamaged:
    'Die Datei ist beschädigt und kann nicht als PDF gelesen werden. Öffnen Sie sie in einem PDF-Programm, speichern oder drucken Sie sie als neues PDF und laden Sie dieses hoch.',
  locked:
    'Die Datei ist mit einem Passwort geschützt. Speichern Sie eine Kopie ohne Passwort und laden Sie diese hoch.',
  scanned:
    'Die Datei enthält keinen Text: Ihre Seiten sind Bilder, etwa ein Scan. Lassen Sie eine Texterkennung (OCR) darüber laufen und laden Sie das Ergebnis hoch, oder bitten Sie darum, tesseract neben diesem Server zu installieren.',
  damaged:
    'Die Datei ist beschädigt oder abgeschnitten. Speichern Sie sie noch einmal und laden Sie sie neu hoch.',
  tooMuchText:
    'Es enthält mehr als {what} Millionen Zeichen Text. Versuchen Sie es in kleineren Teilen.',
  readingTooLong: 'Das Lesen hat zu lange gedauert. Versuchen Sie es in kleineren Teilen.',
  readingTooLarge: 'Das Lesen brauchte zu viel Speicher. Versuchen Sie es in kleineren Teilen.',
  notTakenIn: 'Es konnte nicht aufgenommen werden.',
  noPage: 'Keine Seite konnte gelesen werden. Die erste: {what}',
  tried: 'Es wurde {what} Mal versucht.',
}
