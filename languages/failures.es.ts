import type { Words } from './words.ts'

export const failures: Words['failures'] = {
  noSuchPage: 'Esa página no existe ({what}).',
  asksPassword: 'El sitio pide una contraseña (401) que este servidor no tiene.',
  forbidden: 'El sitio no deja que este servidor lea la página (403).',
  askedTooOften: 'El sitio dice que se le pregunta demasiado a menudo (429).',
  siteTrouble: 'El sitio tiene problemas propios ({what}).',
  siteAnswered: 'El sitio respondió {what}.',
  tookTooLong: 'Tardó demasiado en responder.',
  connectionFailed: 'La conexión falló.',
  hostNotFound: 'No se encontró el nombre de host {what}.',
  privateAddress:
    'Lleva a una dirección privada o especial, que este servidor no consulta. El operador puede permitir un host con ALLOW_PRIVATE_HOSTS.',
  redirects: 'Redirige más de {what} veces.',
  leadsAway: 'Lleva fuera del sitio.',
  tooLarge: 'Ocupa más de {what} MB.',
  robots:
    'El robots.txt del sitio pide a programas como este que no lean la página. Añada su texto como archivo o pida al dueño del sitio que permita «Docent».',
  noindex:
    'La página pide que no se la encuentre («noindex»). Añada su texto como archivo o pida al dueño del sitio que permita «Docent».',
  contentType: 'Su contenido ({what}) no se puede leer.',
  fileType: 'Los archivos de este tipo no se pueden leer.',
  noText: 'No contiene texto.',
  needsScripts:
    'La página está vacía hasta que se ejecutan sus scripts, y este servidor no ejecuta ninguno. Añada su texto como archivo o pida al operador que instale Chromium.',
  pdfDamaged:
    'Está dañado y no se puede leer como PDF. Ábralo en un lector de PDF, guárdelo o imprímalo como un PDF nuevo y suba ese.',
  locked: 'Está protegido con contraseña. Guarde una copia sin contraseña y suba esa.',
  scanned:
    'No tiene capa de texto: sus páginas son imágenes, como un escaneo. Pásele un reconocimiento de texto (OCR) y suba el resultado, o pida que se instale tesseract junto a este servidor.',
  damaged: 'El archivo está dañado o incompleto. Guárdelo otra vez y súbalo de nuevo.',
  tooMuchText:
    'Contiene más de {what} millones de caracteres de texto. Inténtelo en partes más pequeñas.',
  readingTooLong: 'Leerlo llevó demasiado tiempo. Inténtelo en partes más pequeñas.',
  readingTooLarge: 'Leerlo necesitó demasiada memoria. Inténtelo en partes más pequeñas.',
  notTakenIn: 'No se pudo incorporar.',
  noPage: 'No se pudo leer ninguna página. La primera: {what}',
  tried: 'Se intentó {what} veces.',
}
