import type { Words } from '../words.ts'

export const failures: Words['failures'] = {
  answer_too_slow: 'El sitio tardó demasiado en responder.',
  asked_too_often: 'El sitio limita la frecuencia de las solicitudes (429).',
  asks_password:
    'El sitio exige una contraseña (401) que este servidor no tiene. Añada el texto como archivo.',
  browser_failed:
    'La página necesita JavaScript y el navegador de este servidor falló. Añada el texto como archivo o pida al operador que revise el registro del servidor.',
  certificate_invalid: 'El certificado del sitio no es válido ({reason}).',
  connection_failed: 'La conexión con el sitio falló.',
  content_type: 'El tipo de contenido {type} no es compatible.',
  content_type_unknown: 'El tipo de contenido de la página es desconocido.',
  copy_protected: 'El libro está protegido contra copia (DRM) y no se puede leer.',
  damaged: 'El archivo está dañado o incompleto. Guárdelo otra vez y suba el archivo nuevo.',
  declares_entities: 'El archivo declara entidades XML, que no es seguro leer. Guárdelo sin ellas.',
  dns_silent: 'No se pudo resolver el nombre de host {host} porque ningún servidor DNS responde.',
  empty_with_scripts:
    'La página está vacía incluso después de ejecutar sus scripts. Añada su texto como archivo.',
  endless_redirects: 'La página redirige sin fin.',
  file_type: 'Este tipo de archivo no es compatible.',
  host_not_found: 'No se encontró el nombre de host {host}.',
  leads_away: 'La página redirige a otro sitio.',
  leads_elsewhere:
    'El sitio redirige ahora a una página sin enlaces ({address}). Docent conserva los pasajes anteriores. Si el sitio se ha trasladado, añada su nueva dirección.',
  leads_to_sign_in:
    'El sitio redirige ahora a una página de inicio de sesión ({address}). Docent conserva los pasajes anteriores. Añada el texto como archivo o pida al propietario del sitio que vuelva a abrir la página.',
  locked: 'El archivo está protegido con contraseña. Guarde una copia sin contraseña y súbala.',
  needs_scripts:
    'La página necesita JavaScript, que este servidor no ejecuta. Añada su texto como archivo o pida al operador que instale Chromium.',
  nested_too_deep: 'El contenido está anidado en más de {most} niveles.',
  never_ended: 'Docent desistió tras {attempts} intentos que no terminaron.',
  no_contents: 'El libro no indica su contenido y no se puede leer.',
  no_page_read: 'No se pudo leer ninguna página. El primer error: {first}',
  no_such_page: 'La página no existe ({status}).',
  no_text: 'No se encontró texto.',
  no_text_on_site: 'No se encontró texto en las páginas del sitio.',
  no_web_port: 'El puerto {port} no es un puerto de servidores web.',
  noindex:
    'La página pide no ser indexada («noindex»). Añada su texto como archivo o pida al propietario del sitio que permita «Docent».',
  not_converted:
    'No se pudo convertir el archivo. Guárdelo como .docx, .xlsx o .pptx y suba ese archivo.',
  not_read: 'No se pudo leer la página.',
  not_taken_in: 'No se pudo procesar la fuente.',
  not_url: 'Esta URL no es válida.',
  not_web_address: 'Solo se admiten URL http y https.',
  nothing_recognized:
    'Las páginas son imágenes y no se reconoció texto en ellas. Pruebe con un escaneo más nítido o añada un idioma a OCR_LANGUAGES.',
  old_office:
    'El formato del archivo es anterior a Office 2007. Guárdelo como .docx, .xlsx o .pptx y suba ese archivo, o pida al operador que instale LibreOffice.',
  own_address: 'La dirección lleva a este servidor, que no lee sus propias páginas.',
  page_too_large: 'La página ocupa más de {megabytes} MB.',
  pdf_damaged:
    'El PDF está dañado y no se puede leer. Ábralo en un lector de PDF, guárdelo o imprímalo como un PDF nuevo y suba ese archivo.',
  private_address:
    'La dirección es privada o reservada y este servidor no se conecta a ella. El operador puede permitir un host con ALLOW_PRIVATE_HOSTS.',
  reading_too_large:
    'La lectura necesita demasiada memoria. Divida el contenido en partes más pequeñas.',
  reading_too_long:
    'La lectura lleva demasiado tiempo. Divida el contenido en partes más pequeñas.',
  recognition_failed:
    'Las páginas son imágenes que tesseract no pudo leer. Pida al operador que instale los datos de los idiomas de OCR_LANGUAGES.',
  robots:
    'El archivo robots.txt del sitio no permite leer esta página. Añada su texto como archivo o pida al propietario del sitio que permita «Docent».',
  scanned:
    'Las páginas son imágenes sin texto, como un escaneo. Aplique el reconocimiento de texto (OCR) y suba el resultado, o pida al operador que instale tesseract.',
  scripts_too_large:
    'Los scripts de la página necesitan demasiada memoria. Añada su texto como archivo.',
  scripts_too_long: 'Los scripts de la página tardan demasiado. Añada su texto como archivo.',
  site_answered: 'El sitio respondió con el estado {status}.',
  site_forbids: 'El sitio no permite que este servidor lea la página (403).',
  site_trouble: 'El sitio tiene un error de servidor ({status}).',
  too_many_parts: 'El archivo comprimido tiene más de {most} elementos.',
  too_many_redirects: 'La página redirige más de {most} veces.',
  too_many_scans:
    'Más de {most} páginas son imágenes sin texto. Divida el archivo en partes más pequeñas.',
  too_much_for_one:
    'El texto es demasiado largo para una sola fuente. Repártalo en varias fuentes.',
  too_much_text:
    'El texto supera los {millions} millones de caracteres. Divídalo en partes más pequeñas.',
  unpacks_too_large: 'El archivo descomprimido es demasiado grande, por lo que no se leyó.',
  // Appended to any of the sentences above.
  tried: 'Docent lo intentó {tried} veces.',
  again_later: 'Inténtelo de nuevo más tarde.',
  again_seconds: 'El sitio pide volver a intentarlo {when}.',
}
