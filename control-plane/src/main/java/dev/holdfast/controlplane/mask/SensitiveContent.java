// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.mask;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Value;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.secret.Secret;
import dev.holdfast.envoy.api.SensitiveTexts;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The sensitive values of one object, in every form in which a proxy may have got them: as written,
 * in base64, and decoded from base64.
 */
final class SensitiveContent {
  /** Longer values are compared up to here only. */
  private static final int LONGEST = 1 << 20;

  /** Any short word decodes to something, which is nobody's secret. */
  private static final int SHORTEST_DECODED = 4;

  private static final int SHORTEST_ENCODED = 6;

  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private final Set<ByteBuffer> values = new LinkedHashSet<>();

  private SensitiveContent() {}

  static Set<ByteBuffer> of(ConfigObject object) {
    SensitiveContent content = new SensitiveContent();
    String kind = object.key().kind();
    if (kind.equalsIgnoreCase(Secret.KIND)) { // a secret under a misspelt kind is one all the same
      content.addSecret(object.body());
    } else if (kind.equals(ExtensionPolicy.KIND) || kind.equals(HttpProxy.KIND)) {
      SensitiveTexts.of(object.body()).forEach(content::addText);
    }
    return content.values;
  }

  private void addSecret(Mapping body) {
    for (String text : texts(body.get("data"))) {
      byte[] decoded = decode(text);
      if (decoded != null && decoded.length < SHORTEST_DECODED) {
        add(decoded);
      }
      addText(text);
    }
    texts(body.get("stringData")).forEach(this::addText);
  }

  private static List<String> texts(@Nullable Value value) {
    return value instanceof Mapping mapping
        ? mapping.fields().values().stream()
            .filter(field -> field instanceof Scalar scalar && scalar.value() != null)
            .map(field -> String.valueOf(((Scalar) field).value()))
            .toList()
        : List.of();
  }

  private void addText(String text) {
    byte[] decoded = decode(text);
    if (decoded != null && decoded.length >= SHORTEST_DECODED) {
      if (PublicPem.strip(decoded).length == 0) {
        return; // a certificate, which every client of the host is shown
      }
      add(decoded);
    }
    add(text.getBytes(StandardCharsets.UTF_8));
  }

  private void add(byte[] bytes) {
    byte[] secret = PublicPem.strip(bytes);
    if (secret.length == 0) {
      return;
    }
    values.add(ByteBuffer.wrap(secret, 0, Math.min(secret.length, LONGEST)).slice());
    if (bytes.length >= SHORTEST_ENCODED) {
      values.add(ByteBuffer.wrap(Base64.getEncoder().withoutPadding().encode(bytes)));
      values.add(ByteBuffer.wrap(Base64.getUrlEncoder().withoutPadding().encode(bytes)));
    }
  }

  private static byte @Nullable [] decode(String text) {
    String compact = BLANKS.matcher(text).replaceAll("");
    boolean url = compact.indexOf('-') >= 0 || compact.indexOf('_') >= 0;
    try {
      return (url ? Base64.getUrlDecoder() : Base64.getDecoder()).decode(compact);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
