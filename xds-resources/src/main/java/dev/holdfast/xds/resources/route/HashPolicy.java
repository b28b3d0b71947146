// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import com.google.re2j.Pattern;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What of a call goes into its hash (gRFC A42). */
public sealed interface HashPolicy {

  /** Whether the policies after this one are skipped once there is a hash. */
  boolean terminal();

  /** Handles both kinds. */
  <R extends @Nullable Object> R fold(
      Function<? super Header, ? extends R> header,
      Function<? super ChannelId, ? extends R> channelId);

  /**
   * The value of a header.
   *
   * @param name the header, in lower case
   * @param rewrite what is done to the value first; null for nothing
   */
  record Header(String name, @Nullable Rewrite rewrite, boolean terminal) implements HashPolicy {
    @Override
    public <R extends @Nullable Object> R fold(
        Function<? super Header, ? extends R> header,
        Function<? super ChannelId, ? extends R> channelId) {
      return header.apply(this);
    }
  }

  /** A random number that is the same for all calls of a channel. */
  record ChannelId(boolean terminal) implements HashPolicy {
    @Override
    public <R extends @Nullable Object> R fold(
        Function<? super Header, ? extends R> header,
        Function<? super ChannelId, ? extends R> channelId) {
      return channelId.apply(this);
    }
  }

  /**
   * Replaces every match of a pattern.
   *
   * @param replacement in the syntax of {@link com.google.re2j.Matcher#replaceAll(String)}
   */
  record Rewrite(Pattern pattern, String replacement) {
    /** The value after the rewriting. */
    public String apply(String value) {
      return pattern.matcher(value).replaceAll(replacement);
    }
  }
}
