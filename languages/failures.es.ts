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
  certificate: 'El certificado del sitio no es válido ({what}).',
  hostNotFound: 'No se encontró el nombre de host {what}.',
  ownAddress: 'Lleva a este mismo servidor, que no consulta sus propias páginas.',
  privateAddress:
    'Lleva a una dirección privada o especial, que este servidor no consulta. El operador puede permitir un host con ALLOW_PRIVATE_HOSTS.',
  redirects: 'Redirige más de {what} veces.',
  leadsAway: 'Lleva fuera del sitio.',
  signIn:
    'Ahora lleva a una página de inicio de sesión ({what}), que este servidor no puede pasar. Lo leído antes se conserva. Añada el texto como archivo o pida al propietario del sitio que vuelva a abrir la página.',
  deadEnd:
    'Ahora lleva a otro lugar ({what}), a una página desde la que no se llega a ninguna otra. Lo leído antes se conserva. Si el sitio se ha mudado, añada su nueva dirección.',
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
  noTextOnSite: 'No hay texto en las páginas del sitio.',
  dnsSilent:
    'No se pudo consultar el nombre de host {what}, porque ningún servidor DNS responde a este servidor.',
  noWebPort: 'El puerto {what} no es un puerto de servidores web.',
  endless: 'Lleva de página en página sin fin.',
  notRead: 'No se pudo leer.',
  emptyWithScripts:
    'La página está vacía, también después de ejecutarse sus scripts. Añada su texto como archivo.',
  scriptsTooLong:
    'La página está vacía hasta que se ejecutan sus scripts, y estos tardan demasiado. Añada su texto como archivo.',
  scriptsTooLarge:
    'La página está vacía hasta que se ejecutan sus scripts, y estos necesitan demasiada memoria. Añada su texto como archivo.',
  browserFailed:
    'La página está vacía hasta que se ejecutan sus scripts, y el navegador de este servidor falló; el operador puede ver por qué en el registro. Añada su texto como archivo.',
  nothingRecognised:
    'No tiene capa de texto: sus páginas son imágenes, y no se reconoció texto en ellas. Puede ayudar un escaneo más nítido u otro idioma en OCR_LANGUAGES.',
  notRecognised:
    'Sus páginas son imágenes, y tesseract no pudo leerlas. Quizá no estén instalados sus datos para los idiomas de OCR_LANGUAGES.',
  tooManyScans:
    'Más de {what} de sus páginas son imágenes sin capa de texto. Inténtelo en partes más pequeñas.',
  oldOffice:
    'Es de un Office anterior a 2007. Guárdelo como .docx, .xlsx o .pptx y súbalo, o pida que se instale LibreOffice junto a este servidor.',
  notConverted: 'No se pudo convertir. Guárdelo como .docx, .xlsx o .pptx y súbalo.',
  copyProtected: 'El libro está protegido contra copia (DRM) y no se puede leer.',
  unpacksTooLarge: 'Descomprimido ocupa muchísimo más de lo que contiene, así que no se leyó.',
  tooMuchForOne: 'Contiene demasiado texto para una sola fuente. Inténtelo en partes.',
  notTakenIn: 'No se pudo incorporar.',
  neverEnded: 'Se abandonó tras {what} intentos que nunca terminaron.',
  noPage: 'No se pudo leer ninguna página. La primera: {what}',
  tried: 'Se intentó {what} veces.',
}
