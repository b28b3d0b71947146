// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for what the control plane says.
 *
 * @param longest how long it may think about an answer
 */
record ReportTimeout(Duration longest) {
  /**
   * @throws HttpProblem if there is no answer in time
   */
  <T> T await(CompletionStage<T> answer) {
    try {
      return answer.toCompletableFuture().get(longest.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw HttpProblem.unavailable("the control plane is busy; try again");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw HttpProblem.unavailable("the request took too long");
    } catch (ExecutionException e) {
      throw new IllegalStateException("the control plane gave no answer", e.getCause());
    }
  }
}
