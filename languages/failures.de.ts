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
  certificate: 'Das Zertifikat der Website ist nicht gültig ({what}).',
  hostNotFound: 'Der Hostname {what} wurde nicht gefunden.',
  ownAddress: 'Es führt zu diesem Server selbst, der seine eigenen Seiten nicht abruft.',
  privateAddress:
    'Es führt zu einer privaten oder besonderen Adresse, die dieser Server nicht abruft. Der Betreiber kann einen Host mit ALLOW_PRIVATE_HOSTS erlauben.',
  redirects: 'Es wird mehr als {what} Mal weitergeleitet.',
  leadsAway: 'Es führt von der Website weg.',
  signIn:
    'Es führt jetzt zu einer Anmeldeseite ({what}), an der dieser Server nicht vorbeikommt. Was zuvor gelesen wurde, bleibt. Fügen Sie den Text als Datei hinzu, oder bitten Sie den Betreiber der Website, die Seite wieder zu öffnen.',
  deadEnd:
    'Es führt jetzt anderswohin ({what}), zu einer Seite, von der aus keine andere erreicht wird. Was zuvor gelesen wurde, bleibt. Ist die Website umgezogen, fügen Sie stattdessen ihre neue Adresse hinzu.',
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
  noTextOnSite: 'Auf den Seiten der Website ist kein Text.',
  dnsSilent:
    'Der Hostname {what} konnte nicht nachgeschlagen werden, da diesem Server kein DNS-Server antwortet.',
  noWebPort: 'Port {what} ist kein Port von Webservern.',
  endless: 'Es führt ohne Ende von Seite zu Seite.',
  notRead: 'Es konnte nicht gelesen werden.',
  emptyWithScripts:
    'Die Seite ist leer, auch nachdem ihre Skripte gelaufen sind. Fügen Sie ihren Text als Datei hinzu.',
  scriptsTooLong:
    'Die Seite ist leer, bis ihre Skripte gelaufen sind, und diese brauchen zu lange. Fügen Sie ihren Text als Datei hinzu.',
  scriptsTooLarge:
    'Die Seite ist leer, bis ihre Skripte gelaufen sind, und diese brauchen zu viel Speicher. Fügen Sie ihren Text als Datei hinzu.',
  browserFailed:
    'Die Seite ist leer, bis ihre Skripte gelaufen sind, und der Browser dieses Servers ist gescheitert; warum, findet der Betreiber im Protokoll. Fügen Sie ihren Text als Datei hinzu.',
  nothingRecognised:
    'Die Datei enthält keinen Text: Ihre Seiten sind Bilder, und darin wurde kein Text erkannt. Ein schärferer Scan kann helfen, oder eine weitere Sprache in OCR_LANGUAGES.',
  notRecognised:
    'Die Seiten sind Bilder, und tesseract konnte sie nicht lesen. Vielleicht sind seine Daten für die Sprachen in OCR_LANGUAGES nicht installiert.',
  tooManyScans:
    'Mehr als {what} der Seiten sind Bilder ohne Text. Versuchen Sie es in kleineren Teilen.',
  oldOffice:
    'Die Datei stammt aus einem Office vor 2007. Speichern Sie sie als .docx, .xlsx oder .pptx und laden Sie diese hoch, oder bitten Sie darum, LibreOffice neben diesem Server zu installieren.',
  notConverted:
    'Die Datei konnte nicht umgewandelt werden. Speichern Sie sie als .docx, .xlsx oder .pptx und laden Sie diese hoch.',
  copyProtected: 'Das Buch ist kopiergeschützt (DRM) und kann nicht gelesen werden.',
  unpacksTooLarge:
    'Entpackt ist die Datei weit größer, als sie sein dürfte; sie wurde deshalb nicht gelesen.',
  tooMuchForOne: 'Es enthält zu viel Text für eine Quelle. Versuchen Sie es in Teilen.',
  notTakenIn: 'Es konnte nicht aufgenommen werden.',
  neverEnded: 'Nach {what} Versuchen, die nie endeten, wurde es aufgegeben.',
  noPage: 'Keine Seite konnte gelesen werden. Die erste: {what}',
  tried: 'Es wurde {what} Mal versucht.',
}
