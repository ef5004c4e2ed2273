import type { Words } from '../words.ts'

export const failures: Words['failures'] = {
  answer_too_slow: 'Tardó demasiado en responder.',
  asked_too_often: 'El sitio dice que se le pregunta demasiado a menudo (429).',
  asks_password: 'El sitio pide una contraseña (401) que este servidor no tiene.',
  browser_failed:
    'La página está vacía hasta que se ejecutan sus scripts, y el navegador de este servidor falló; el operador puede ver por qué en el registro. Añada su texto como archivo.',
  certificate_invalid: 'El certificado del sitio no es válido ({reason}).',
  connection_failed: 'La conexión falló.',
  content_type: 'Su contenido ({type}) no se puede leer.',
  content_type_unknown: 'Su contenido (de un tipo desconocido) no se puede leer.',
  copy_protected: 'El libro está protegido contra copia (DRM) y no se puede leer.',
  damaged: 'El archivo está dañado o incompleto. Guárdelo otra vez y súbalo de nuevo.',
  declares_entities: 'Declara entidades propias, y leerlas no es seguro. Guárdelo sin ellas.',
  dns_silent:
    'No se pudo consultar el nombre de host {host}, porque ningún servidor DNS responde a este servidor.',
  empty_with_scripts:
    'La página está vacía, también después de ejecutarse sus scripts. Añada su texto como archivo.',
  endless_redirects: 'Lleva de página en página sin fin.',
  file_type: 'Los archivos de este tipo no se pueden leer.',
  host_not_found: 'No se encontró el nombre de host {host}.',
  leads_away: 'Lleva fuera del sitio.',
  leads_elsewhere:
    'Ahora lleva a otro lugar ({address}), a una página desde la que no se llega a ninguna otra. Lo leído antes se conserva. Si el sitio se ha mudado, añada su nueva dirección.',
  leads_to_sign_in:
    'Ahora lleva a una página de inicio de sesión ({address}), que este servidor no puede pasar. Lo leído antes se conserva. Añada el texto como archivo o pida al propietario del sitio que vuelva a abrir la página.',
  locked: 'Está protegido con contraseña. Guarde una copia sin contraseña y suba esa.',
  needs_scripts:
    'La página está vacía hasta que se ejecutan sus scripts, y este servidor no ejecuta ninguno. Añada su texto como archivo o pida al operador que instale Chromium.',
  nested_too_deep: 'Está anidado en más de {most} niveles.',
  never_ended: 'Se abandonó tras {attempts} intentos que nunca terminaron.',
  no_contents: 'El libro no dice qué contiene.',
  no_page_read: 'No se pudo leer ninguna página. La primera: {first}',
  no_such_page: 'Esa página no existe ({status}).',
  no_text: 'No contiene texto.',
  no_text_on_site: 'No hay texto en las páginas del sitio.',
  no_web_port: 'El puerto {port} no es un puerto de servidores web.',
  noindex:
    'La página pide que no se la encuentre («noindex»). Añada su texto como archivo o pida al dueño del sitio que permita «Docent».',
  not_converted: 'No se pudo convertir. Guárdelo como .docx, .xlsx o .pptx y súbalo.',
  not_read: 'No se pudo leer.',
  not_taken_in: 'No se pudo incorporar.',
  not_url: 'Eso no es una URL.',
  not_web_address: 'Solo se pueden obtener direcciones http y https.',
  nothing_recognized:
    'No tiene capa de texto: sus páginas son imágenes, y no se reconoció texto en ellas. Puede ayudar un escaneo más nítido u otro idioma en OCR_LANGUAGES.',
  old_office:
    'Es de un Office anterior a 2007. Guárdelo como .docx, .xlsx o .pptx y súbalo, o pida que se instale LibreOffice junto a este servidor.',
  own_address: 'Lleva a este mismo servidor, que no consulta sus propias páginas.',
  page_too_large: 'Ocupa más de {megabytes} MB.',
  pdf_damaged:
    'Está dañado y no se puede leer como PDF. Ábralo en un lector de PDF, guárdelo o imprímalo como un PDF nuevo y suba ese.',
  private_address:
    'Lleva a una dirección privada o especial, que este servidor no consulta. El operador puede permitir un host con ALLOW_PRIVATE_HOSTS.',
  reading_too_large: 'Leerlo necesitó demasiada memoria. Inténtelo en partes más pequeñas.',
  reading_too_long: 'Leerlo llevó demasiado tiempo. Inténtelo en partes más pequeñas.',
  recognition_failed:
    'Sus páginas son imágenes, y tesseract no pudo leerlas. Quizá no estén instalados sus datos para los idiomas de OCR_LANGUAGES.',
  robots:
    'El robots.txt del sitio pide a programas como este que no lean la página. Añada su texto como archivo o pida al dueño del sitio que permita «Docent».',
  scanned:
    'No tiene capa de texto: sus páginas son imágenes, como un escaneo. Pásele un reconocimiento de texto (OCR) y suba el resultado, o pida que se instale tesseract junto a este servidor.',
  scripts_too_large:
    'La página está vacía hasta que se ejecutan sus scripts, y estos necesitan demasiada memoria. Añada su texto como archivo.',
  scripts_too_long:
    'La página está vacía hasta que se ejecutan sus scripts, y estos tardan demasiado. Añada su texto como archivo.',
  site_answered: 'El sitio respondió {status}.',
  site_forbids: 'El sitio no deja que este servidor lea la página (403).',
  site_trouble: 'El sitio tiene problemas propios ({status}).',
  too_many_parts: 'Es un archivo comprimido de más de {most} partes.',
  too_many_redirects: 'Redirige más de {most} veces.',
  too_many_scans:
    'Más de {most} de sus páginas son imágenes sin capa de texto. Inténtelo en partes más pequeñas.',
  too_much_for_one: 'Contiene demasiado texto para una sola fuente. Inténtelo en partes.',
  too_much_text:
    'Contiene más de {millions} millones de caracteres de texto. Inténtelo en partes más pequeñas.',
  unpacks_too_large: 'Descomprimido ocupa muchísimo más de lo que contiene, así que no se leyó.',
  // Appended to any of the sentences above.
  tried: 'Se intentó {tried} veces.',
  again_later: 'Inténtelo de nuevo más tarde.',
  again_seconds: 'El sitio pide que se intente de nuevo {when}.',
}
