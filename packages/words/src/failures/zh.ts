import type { Words } from '../words.ts'

export const failures: Words['failures'] = {
  answer_too_slow: '响应时间过长。',
  asked_too_often: '该网站表示访问过于频繁（429）。',
  asks_password: '该网站要求密码（401），而本服务器没有。',
  browser_failed:
    '该页面在脚本运行之前是空的，而本服务器的浏览器出现故障，运营者可在日志中找到原因。请将其文本作为文件添加。',
  certificate_invalid: '该网站的证书无效（{reason}）。',
  connection_failed: '连接失败。',
  content_type: '无法读取其内容（{type}）。',
  content_type_unknown: '无法读取其内容（类型未知）。',
  copy_protected: '该电子书受版权保护（DRM），无法读取。',
  damaged: '文件已损坏或不完整。请重新保存后再上传。',
  declares_entities: '它声明了自己的实体，读取并不安全。请去掉实体后再保存。',
  dns_silent: '无法查询主机名 {host}，因为没有 DNS 服务器回应本服务器。',
  empty_with_scripts: '该页面在脚本运行之后仍是空的。请将其文本作为文件添加。',
  endless_redirects: '它从一页跳到另一页，没有尽头。',
  file_type: '无法读取此类文件。',
  host_not_found: '找不到主机名 {host}。',
  leads_away: '它指向该网站之外。',
  leads_elsewhere:
    '它现在指向别处（{address}），从那个页面无法到达其他页面。之前读取的内容会保留。如果网站已搬迁，请改为添加它的新地址。',
  leads_to_sign_in:
    '它现在指向登录页面（{address}），本服务器无法通过。之前读取的内容会保留。请将文字作为文件添加，或请网站所有者重新开放该页面。',
  locked: '文件受密码保护。请保存一份无密码的副本后上传。',
  needs_scripts:
    '该页面在脚本运行之前是空的，而本服务器不运行脚本。请将其文本作为文件添加，或请运营者安装 Chromium。',
  nested_too_deep: '其嵌套超过 {most} 层。',
  never_ended: '尝试 {attempts} 次都未能结束，已放弃。',
  no_contents: '这本书没有说明其中有什么内容。',
  no_page_read: '没有任何页面可以读取。第一个：{first}',
  no_such_page: '没有这个页面（{status}）。',
  no_text: '其中没有文本。',
  no_text_on_site: '该网站的页面上没有文本。',
  no_web_port: '端口 {port} 不是网页服务器的端口。',
  noindex: '该页面要求不被收录（“noindex”）。请将其文本作为文件添加，或请网站所有者允许“Docent”。',
  not_converted: '无法转换。请另存为 .docx、.xlsx 或 .pptx 后上传。',
  not_read: '无法读取。',
  not_taken_in: '无法收录。',
  not_url: '这不是网址。',
  not_web_address: '只能获取 http 和 https 网址。',
  nothing_recognized:
    '文件没有文本层：其页面是图片，且未能从中识别出文字。更清晰的扫描件或在 OCR_LANGUAGES 中增加语言可能有帮助。',
  old_office:
    '该文件来自 2007 年以前的 Office。请另存为 .docx、.xlsx 或 .pptx 后上传，或请人在本服务器旁安装 LibreOffice。',
  own_address: '它指向本服务器自身，本服务器不会读取自己的页面。',
  page_too_large: '大小超过 {megabytes} MB。',
  pdf_damaged: '文件已损坏，无法作为 PDF 读取。请用 PDF 阅读器打开，另存或打印为新的 PDF 后上传。',
  private_address:
    '它指向私有或特殊地址，本服务器不会读取。运营者可用 ALLOW_PRIVATE_HOSTS 允许某个主机。',
  reading_too_large: '读取所需内存过多。请分成较小的部分再试。',
  reading_too_long: '读取时间过长。请分成较小的部分再试。',
  recognition_failed:
    '其页面是图片，而 tesseract 无法读取。OCR_LANGUAGES 中各语言的数据可能尚未安装。',
  robots:
    '该网站的 robots.txt 要求此类程序不要读取该页面。请将其文本作为文件添加，或请网站所有者在其中允许“Docent”。',
  scanned:
    '文件没有文本层：其页面是图片，例如扫描件。请进行文字识别（OCR）后上传结果，或请人在本服务器旁安装 tesseract。',
  scripts_too_large: '该页面在脚本运行之前是空的，而脚本所需内存过多。请将其文本作为文件添加。',
  scripts_too_long: '该页面在脚本运行之前是空的，而脚本运行时间过长。请将其文本作为文件添加。',
  site_answered: '该网站返回了 {status}。',
  site_forbids: '该网站不允许本服务器读取此页面（403）。',
  site_trouble: '该网站自身出现故障（{status}）。',
  too_many_parts: '它是一个包含超过 {most} 个部分的压缩包。',
  too_many_redirects: '重定向超过 {most} 次。',
  too_many_scans: '没有文本层的图片页面超过 {most} 页。请分成较小的部分再试。',
  too_much_for_one: '文本过多，超出一个来源的限度。请分成几部分再试。',
  too_much_text: '文本超过 {millions} 百万个字符。请分成较小的部分再试。',
  unpacks_too_large: '文件解压后远大于其本身，因此未读取。',
  // Appended to any of the sentences above.
  tried: '已尝试 {tried} 次。',
  again_later: '请稍后重试。',
  again_seconds: '该网站请您{when}重试。',
}
