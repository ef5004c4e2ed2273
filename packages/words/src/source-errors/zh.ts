import type { Words } from '../words.ts'

export const failures: Words['failures'] = {
  answer_too_slow: '该网站响应时间过长。',
  asked_too_often: '该网站限制了请求频率（429）。',
  asks_password: '该网站要求输入密码（401），而此服务器没有密码。请改为以文件形式添加文本。',
  browser_failed:
    '该页面需要 JavaScript，但此服务器的浏览器出现故障。请改为以文件形式添加文本，或请运维人员查看服务器日志。',
  certificate_invalid: '该网站的证书无效（{reason}）。',
  connection_failed: '无法连接到该网站。',
  content_type: '不支持内容类型 {type}。',
  content_type_unknown: '该页面的内容类型未知。',
  copy_protected: '该电子书受版权保护（DRM），无法读取。',
  damaged: '文件已损坏或不完整。请重新保存后上传新文件。',
  declares_entities: '文件声明了 XML 实体，读取它们并不安全。请去除实体后再保存。',
  dns_silent: '没有 DNS 服务器响应，因此无法查询主机名 {host}。',
  empty_with_scripts: '运行脚本后，该页面仍为空。请改为以文件形式添加其文本。',
  endless_redirects: '该页面无限重定向。',
  file_type: '不支持此文件类型。',
  host_not_found: '找不到主机名 {host}。',
  leads_away: '该页面重定向到其他网站。',
  leads_elsewhere:
    '该网站现在重定向到一个没有链接的页面（{address}）。Docent 会保留之前的段落。如果网站已搬迁，请改为添加新网址。',
  leads_to_sign_in:
    '该网站现在重定向到登录页面（{address}）。Docent 会保留之前的段落。请以文件形式添加文本，或请网站所有者重新开放该页面。',
  locked: '文件受密码保护。请另存一份无密码的副本后上传。',
  needs_scripts:
    '该页面需要 JavaScript，而此服务器不运行脚本。请改为以文件形式添加其文本，或请运维人员安装 Chromium。',
  nested_too_deep: '内容嵌套超过 {most} 层。',
  never_ended: '尝试 {attempts} 次均未完成，Docent 已放弃。',
  no_contents: '该电子书没有列出其内容，无法读取。',
  no_page_read: '没有任何页面可以读取。第一个错误：{first}',
  no_such_page: '该页面不存在（{status}）。',
  no_text: '未找到文本。',
  no_text_on_site: '该网站的页面上未找到文本。',
  no_web_port: '端口 {port} 不是网页服务器的端口。',
  noindex: '该页面要求不被索引（“noindex”）。请以文件形式添加其文本，或请网站所有者允许“Docent”。',
  not_converted: '文件无法转换。请另存为 .docx、.xlsx 或 .pptx 后上传。',
  not_read: '无法读取该页面。',
  not_taken_in: '无法处理该来源。',
  not_url: '这不是有效的网址。',
  not_web_address: '仅支持 http 和 https 网址。',
  nothing_recognized:
    '页面是图片，且未能从中识别出文字。请尝试更清晰的扫描件，或在 OCR_LANGUAGES 中添加语言。',
  old_office:
    '文件格式早于 Office 2007。请另存为 .docx、.xlsx 或 .pptx 后上传，或请运维人员安装 LibreOffice。',
  own_address: '该地址指向此服务器，而此服务器不读取自己的页面。',
  page_too_large: '该页面大于 {megabytes} MB。',
  pdf_damaged: 'PDF 已损坏，无法读取。请用 PDF 阅读器打开，另存或打印为新的 PDF 后上传。',
  private_address:
    '该地址是私有或保留地址，此服务器不会连接。运维人员可用 ALLOW_PRIVATE_HOSTS 允许某个主机。',
  reading_too_large: '读取所需内存过多。请拆分成较小的部分。',
  reading_too_long: '读取时间过长。请拆分成较小的部分。',
  recognition_failed:
    '页面是图片，而 tesseract 无法读取。请运维人员为 OCR_LANGUAGES 中的语言安装数据。',
  robots:
    '该网站的 robots.txt 不允许读取此页面。请以文件形式添加其文本，或请网站所有者允许“Docent”。',
  scanned:
    '页面是没有文本的图片，例如扫描件。请进行文字识别 (OCR) 后上传结果，或请运维人员安装 tesseract。',
  scripts_too_large: '该页面的脚本占用内存过多。请改为以文件形式添加其文本。',
  scripts_too_long: '该页面的脚本运行时间过长。请改为以文件形式添加其文本。',
  site_answered: '该网站返回状态 {status}。',
  site_forbids: '该网站不允许此服务器读取该页面（403）。',
  site_trouble: '该网站发生服务器错误（{status}）。',
  too_many_parts: '压缩包包含超过 {most} 个条目。',
  too_many_redirects: '该页面重定向超过 {most} 次。',
  too_many_scans: '超过 {most} 个页面是没有文本的图片。请将文件拆分成较小的部分。',
  too_much_for_one: '文本过长，超出单个来源的限制。请拆分为多个来源。',
  too_much_text: '文本超过 {millions} 百万个字符。请拆分成较小的部分。',
  unpacks_too_large: '文件解压后过大，因此未读取。',
  // Appended to any of the sentences above.
  tried: 'Docent 已尝试 {tried} 次。',
  again_later: '请稍后重试。',
  again_seconds: '该网站要求{when}重试。',
}
